import { maskPrivateKeys } from './privateKeys.js';
import { isSecretVariable, maskAssignments } from './secretAssignments.js';
import { PASSWORD_IN_ADDRESS, SECRET_SHAPES } from './secretShapes.js';

/** Stands in the place of a secret. */
export const MASK = '[redacted]';
/** Shorter values are words: masking them would make messages unreadable and hide nothing. */
export const SHORTEST_SECRET = 8;
/** In an address these say that a password belongs there. */
const NO_PASSWORD = /^(?:[$<{*%].*|password|passwd|pass|secret|x+)$/iu;
/** A name and a password as one word, in a header and in the settings of Docker. */
const BASIC =
  /(\b[Bb]asic\s{1,4}|\bauth\\{0,3}["']\s{0,2}:\s{0,2}\\{0,3}["'])([A-Za-z0-9+/]{8,}={0,2})(?![\w+/=])/gu;

/** Masks what looks like a secret, and every one of `secrets` word for word. */
export function redactSecrets(text: string, secrets: Iterable<string> = []): string {
  let masked = text;
  // Longest first: one secret may be the beginning of another.
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret.length >= SHORTEST_SECRET) masked = masked.replaceAll(secret, MASK);
  }
  masked = maskPrivateKeys(masked, MASK);
  for (const shape of SECRET_SHAPES) masked = masked.replace(shape, `$1${MASK}`);
  masked = masked.replace(PASSWORD_IN_ADDRESS, (whole, before: string, password: string) =>
    NO_PASSWORD.test(password) ? whole : `${before}${MASK}`,
  );
  masked = masked.replace(BASIC, (whole, before: string, credentials: string) =>
    isNameAndPassword(credentials) ? `${before}${MASK}` : whole,
  );
  return maskAssignments(masked, MASK);
}

/** Tells credentials from a word: "basic information" would be Base64 too. */
function isNameAndPassword(credentials: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/u.test(Buffer.from(credentials, 'base64').toString('latin1'));
}

/** The values of the variables that are named like secrets, and the passwords in the addresses that others hold. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    isSecretVariable(name)
      ? [value]
      : [...value.matchAll(PASSWORD_IN_ADDRESS)].map(([, , password = '']) => password),
  );
}
