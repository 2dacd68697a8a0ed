import { HuddleError, type StoreLack } from '../../models/errors.js';
import {
  type FailurePlace,
  StoreNotSetUpError,
  StoreOutOfReachError,
  StoreRefusedError,
} from './sharedErrors.js';
import { explainTlsFailure } from './tlsFailures.js';

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
