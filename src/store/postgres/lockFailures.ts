import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { sqlStateOf } from './databaseFailures.js';
import { type FailurePlace, StoreOutOfReachError } from './sharedErrors.js';

const LOCK_NOT_AVAILABLE = '55P03';

/** Makes one of our errors of a lock that was waited for in vain; undefined for any other failure. */
export function explainLockFailure(error: unknown, { store }: FailurePlace): Error | undefined {
  if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) return undefined;
  const { message, detail = '' } = error as Error & { readonly detail?: string };
  return new StoreOutOfReachError(store, message, error, { heldUpBy: sanitizeToOneLine(detail) });
}
