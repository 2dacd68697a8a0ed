import type { StoreDistrust } from '../../models/errors.js';
import { type FailurePlace, StoreOutOfReachError, StoreRefusedError } from './sharedErrors.js';

/** Node's codes of what is wrong with the certificate of a server. */
const DISTRUSTS: ReadonlyMap<string, StoreDistrust> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknown-authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown-authority'],
  ['CERT_UNTRUSTED', 'unknown-authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other-host'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'invalid'],
  ['CERT_REVOKED', 'invalid'],
  ['CERT_REJECTED', 'invalid'],
  ['CERT_SIGNATURE_FAILURE', 'invalid'],
  ['INVALID_CA', 'invalid'],
  ['INVALID_PURPOSE', 'invalid'],
]);
/** The driver's words, without a code. */
const NO_TLS = /^The server does not support SSL/;
/** The server does not want the client's certificate. */
const CERTIFICATE_REFUSED =
  /ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/;

/** Errors of Node's TLS have more than others. */
interface TlsFailure extends Error {
  readonly code?: unknown;
  /** OpenSSL's words. */
  readonly reason?: unknown;
  readonly cert?: { readonly subjectaltname?: string; readonly subject?: { readonly CN?: string } };
}

/** Makes one of our errors of a handshake that failed; undefined for any other failure. */
export function explainTlsFailure(error: Error, { store, role }: FailurePlace): Error | undefined {
  const { code, reason, cert, message }: TlsFailure = error;
  if (NO_TLS.test(message)) return new StoreOutOfReachError(store, message, error, { distrust: 'no-tls' });
  if (typeof code !== 'string') return undefined;
  if (CERTIFICATE_REFUSED.test(code)) return new StoreRefusedError(store, role, String(reason), true, error);
  const distrust = DISTRUSTS.get(code);
  if (distrust === undefined) return undefined;
  const names = cert?.subjectaltname ?? cert?.subject?.CN;
  const detail = distrust === 'other-host' && names !== undefined ? names : message;
  return new StoreOutOfReachError(store, detail, error, { distrust });
}
