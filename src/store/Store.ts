import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { ConversationSummary } from './summary.js';

/** Where conversations are kept. Everything is synchronous: when a call returns, it has happened. */
export interface Store {
  /** Makes a new conversation and opens it for writing. Throws ConversationExistsError. */
  create(id: ConversationId, options?: CreateOptions): ConversationLog;
  /** Opens for writing. Throws ConversationLockedError while another process writes, UnknownConversationError. */
  open(id: ConversationId, options?: OpenOptions): ConversationLog;
  /** Opens for reading what is there now, whoever writes. Throws UnknownConversationError. */
  read(id: ConversationId): ConversationReader;
  /** What is kept, the one that was opened for writing last first, whatever the clock says. */
  list(): ConversationSummary[];
  /** Also one whose entry is damaged. Throws ConversationLockedError while somebody writes, UnknownConversationError. */
  delete(id: ConversationId): void;
  close(): void;
}

export interface CreateOptions {
  /**
   * Where on this machine the conversation is held. Not a fact of the conversation: it is in no event and in no export,
   * and changes when the conversation is gone on with elsewhere.
   */
  readonly folder?: string;
}

export interface OpenOptions extends CreateOptions {
  /** Whoever holds the conversation is known to be gone, for instance a process of another machine. */
  readonly takeOver?: boolean;
}

/** One conversation, open for reading. */
export interface ConversationReader {
  readonly id: ConversationId;
  /** The number of the last event there is; 0 before the first. */
  readonly lastSeq: number;
  /**
   * The events from one number to another, both included, in order; without numbers all of them. Throws StoreDamagedError
   * in the place of the first event that is not as it was written.
   */
  read(from?: number, to?: number): Iterable<RecordedEvent>;
  /** The newest one; null when there is none or it cannot be used. */
  readCheckpoint(): Checkpoint | null;
  close(): void;
}

/**
 * The log of one conversation, open for writing by one process. When `append` returns, the facts are durable, all of
 * them; when it throws, none of them are.
 */
export interface ConversationLog extends ConversationReader {
  /** Who had it open and is gone without having closed it. */
  readonly takenOverFrom?: LeaseHolder;
  /** The number of the last event that was restored, not appended: what came before belongs to another log. Absent: none. */
  readonly restoredSeq?: number;
  /** Saves an answer that is too long for a message, until the conversation is deleted. Gives its file. Absent: no file can be saved. */
  saveAnswer?(turnId: TurnId, text: string): Promise<string>;
  /** Numbers the facts, dates them, and keeps them. */
  append(facts: readonly ConversationFact[]): RecordedEvent[];
  /** Keeps events that have their numbers and times already; they must go on where this log ends. */
  restore(events: Iterable<RecordedEvent>): void;
  /** Keeps a checkpoint in place of the one before. */
  saveCheckpoint(checkpoint: Checkpoint): void;
}

/** The process that writes a conversation. */
export interface LeaseHolder {
  readonly pid: number;
  /** When the process started, in the system's own words: tells two processes of the same number apart. */
  readonly processStart: string | null;
  readonly host: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What follows from the events up to `seq`, so that nobody has to read them again. A cache: the events are the truth. */
export interface Checkpoint {
  readonly seq: number;
  /** Plain data, in the words of whoever saves it. */
  readonly value: unknown;
}

/** Makes a conversation of what is written into it; when that throws, there is none. */
export function createWhole(
  store: Store,
  id: ConversationId,
  write: (log: ConversationLog) => void,
  options?: CreateOptions,
): void {
  const log = store.create(id, options);
  let isKept = false;
  try {
    write(log);
    isKept = true;
  } finally {
    log.close();
    if (!isKept) store.delete(id);
  }
}
