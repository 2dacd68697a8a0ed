import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId } from '../models/ids.js';

/** Where conversations are kept. */
export interface Store {
  /** Makes a new conversation and opens it for writing. */
  create(id: ConversationId): ConversationLog;
}

/**
 * The log of one conversation, open for writing by one process. Everything is synchronous: when `append` returns, the
 * facts are durable, all of them; when it throws, none of them are.
 */
export interface ConversationLog {
  /** Numbers the facts, dates them, and keeps them. */
  append(facts: readonly ConversationFact[]): RecordedEvent[];
  /** From the beginning, in order. */
  read(): Iterable<RecordedEvent>;
  /** Nothing can be written any more. */
  close(): void;
}
