import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** A public key as it is written in files: `ed25519:` and 32 bytes in base64url. */
export type PublicKeyText = `ed25519:${string}`;

/** A private key of this machine, with its public half as it is shown to others. */
export interface SigningKey {
  readonly publicKey: PublicKeyText;
  /** Signature in base64url. */
  sign(bytes: Uint8Array): string;
}

const PREFIX = 'ed25519:';
/** 32 bytes; the last character holds only four bits of them, so that each key has one spelling. */
const SHAPE = /^ed25519:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/u;
const SIGNATURE_BYTES = 64;

export function isPublicKeyText(text: unknown): text is PublicKeyText {
  return typeof text === 'string' && SHAPE.test(text);
}

/** A new private key, as PEM. */
export function createKeyText(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads a private key from PEM; undefined if it is none, or one of another kind. */
export function readKeyText(pem: string): SigningKey | undefined {
  const key = tryToRead(pem);
  if (key?.asymmetricKeyType !== 'ed25519') return undefined;
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    publicKey: `${PREFIX}${x}`,
    sign: (bytes) => sign(null, bytes, key).toString('base64url'),
  };
}

/** Whether a signature over these bytes is by the key. Anything that is no signature is not. */
export function isSignedBy(publicKey: PublicKeyText, bytes: Uint8Array, signature: string): boolean {
  const signed = Buffer.from(signature, 'base64url');
  if (signed.length !== SIGNATURE_BYTES || signed.toString('base64url') !== signature) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.slice(PREFIX.length) };
  return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signed);
}

function tryToRead(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's words for it help no one: the file is not a key.
    return undefined;
  }
}
