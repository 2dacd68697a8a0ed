import type { ConversationId } from '../../models/ids.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { LeaseHolder } from '../Store.js';
import {
  ConversationExistsError,
  ConversationLockedError,
  UnknownConversationError,
} from '../storeErrors.js';
import { SQL_STATES, sqlStateOf } from './databaseFailures.js';
import { NotYoursError } from './sharedErrors.js';

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
