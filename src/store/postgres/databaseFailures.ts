import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { HuddleError, type StoreDistrust, type StoreLack } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { LeaseHolder } from '../Store.js';
import {
  ConversationExistsError,
  ConversationLockedError,
  type FailurePlace,
  NotYoursError,
  StoreNotSetUpError,
  StoreOutOfReachError,
  StoreRefusedError,
  UnknownConversationError,
} from '../storeErrors.js';

/** Error codes that Huddle's own functions raise. */
export const SQL_STATES = {
  unknownConversation: 'HU001',
  leaseLost: 'HU002',
  locked: 'HU003',
  exists: 'HU004',
  notYours: 'HU005',
  unknownProcess: 'HU007',
  otherEnd: 'HU008',
  unknownWorker: 'HU012',
} as const;

/** Codes and classes of codes of PostgreSQL, see its Appendix A. */
const REFUSED = '42501';
const LOGIN_REFUSED = /^28/;
/** The driver has no password to give. */
const NO_PASSWORD = /^SASL: /;
const NOT_THERE = /^(?:3D000|3F000|42P01|42883)/;
/** The class of codes of a server that has not enough of something, and those that have a sentence of their own. */
const LACKS = /^53/;
const LACK_OF: Readonly<Record<string, StoreLack>> = {
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'connections',
};
/** Connection exceptions, shutdown, start, serialization, read-only server. */
const OUT_OF_REACH = /^(?:08|57|58|40|25006)/;

/** The code of an error of the server; undefined for any other. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : undefined;
}

/** Makes one of our errors of what the driver or the server throws; codes of our own functions stay as they are. */
export function explainDatabaseFailure(error: unknown, { store, role }: FailurePlace): unknown {
  if (error instanceof HuddleError || error instanceof TypeError || !(error instanceof Error)) return error;
  const state = sqlStateOf(error);
  const isLogin = LOGIN_REFUSED.test(state ?? '') || NO_PASSWORD.test(error.message);
  if (isLogin || state === REFUSED) return new StoreRefusedError(store, role, error.message, isLogin, error);
  const ofTls = state === undefined ? explainTlsFailure(error, { store, role }) : undefined;
  if (ofTls !== undefined) return ofTls;
  if (state === undefined) return new StoreOutOfReachError(store, describe(error), error);
  if (NOT_THERE.test(state)) return new StoreNotSetUpError(store, false, error);
  if (LACKS.test(state))
    return new StoreOutOfReachError(store, error.message, error, { lack: LACK_OF[state] ?? 'resources' });
  return OUT_OF_REACH.test(state) ? new StoreOutOfReachError(store, error.message, error) : error;
}

/** Several addresses of one host fail together, without a text of their own. */
function describe(error: Error): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors
      .map((each: unknown) => (each instanceof Error ? each.message : String(each)))
      .join(', ');
  return error.message;
}

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

const LOCK_NOT_AVAILABLE = '55P03';

/** Makes one of our errors of a lock that was waited for in vain; undefined for any other failure. */
export function explainLockFailure(error: unknown, { store }: FailurePlace): Error | undefined {
  if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) return undefined;
  const { message, detail = '' } = error as Error & { readonly detail?: string };
  return new StoreOutOfReachError(store, message, error, { heldUpBy: sanitizeToOneLine(detail) });
}

/** A holder as the function tells it that refuses. */
export interface SharedHolder extends LeaseHolder {
  readonly process: string;
}

/** Makes one of our errors of a refusal by our own functions; any other stays as it is. */
export function explainStoreRefusal(error: unknown, id: ConversationId): unknown {
  const detail = String((error as { detail?: unknown }).detail);
  switch (sqlStateOf(error)) {
    case SQL_STATES.unknownConversation:
      return new UnknownConversationError(id);
    case SQL_STATES.exists:
      return new ConversationExistsError(id);
    case SQL_STATES.locked:
      return new ConversationLockedError(id, readHolder(detail));
    case SQL_STATES.notYours:
      return new NotYoursError(id, detail);
    default:
      return error;
  }
}

function readHolder(detail: string): SharedHolder {
  const holder: Omit<SharedHolder, 'processStart'> = JSON.parse(detail);
  return { processStart: null, ...holder, host: showHost(holder.host) };
}

/** The name that a process of another role gives its machine, harmless for a terminal. */
export function showHost(host: string): string {
  return sanitizeToOneLine(host);
}

const MOST_MILLISECONDS_BETWEEN_ATTEMPTS = 1000;
/** As long as a lease: after that others may count on this process being gone. */
const PATIENCE_MILLISECONDS = 15_000;

/** Does something that counts once however often it is done, until the store answers. Rejects when it does not for long, or at the signal. */
export async function untilReached<Value>(
  work: () => Promise<Value>,
  {
    signal,
    patience = PATIENCE_MILLISECONDS,
  }: { readonly signal?: AbortSignal; readonly patience?: number } = {},
): Promise<Value> {
  const until = performance.now() + patience;
  for (let attempt = 0; ; attempt++) {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      // A process that was stopped tries once more: its time ran on, and the answer may lie there.
      const isPassing = error instanceof StoreOutOfReachError && began < until;
      if (!isPassing || signal?.aborted) throw error;
    }
    await wait(Math.min(25 * 2 ** attempt, MOST_MILLISECONDS_BETWEEN_ATTEMPTS));
  }
}
