import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { ProcessIdentity } from '../utils/processIdentity.js';
import type { ConversationSummary } from './summary.js';

/** Keeps conversations, on this machine or on another one. */
export interface Store {
  /** Makes a new conversation and opens it for writing. Rejects with ConversationExistsError. */
  create(id: ConversationId, options?: CreateOptions): Promise<ConversationLog>;
  /**
   * Saves a new conversation with all that is in it, and closes it: whatever happens to this process, all of it is there or none.
   * One of this id without a single event, which nobody has open, is replaced. Rejects with ConversationExistsError.
   */
  createWhole(id: ConversationId, contents: ConversationContents, options?: CreateOptions): Promise<void>;
  /** Opens for writing. Rejects with ConversationLockedError while another process writes, UnknownConversationError. */
  open(id: ConversationId, options?: OpenOptions): Promise<ConversationLog>;
  /** Opens for reading what is there now, also while a process writes. Rejects with UnknownConversationError. */
  read(id: ConversationId): Promise<ConversationReader>;
  /** A page of what is kept, the one that was opened for writing last first, whatever the clock says. */
  list(query: ConversationQuery): Promise<ConversationPage>;
  /** The conversation of this id; without one, those whose ids begin with the word or have it for their last part. */
  find(word: string): Promise<readonly ConversationSummary[]>;
  /** Deletes also what is damaged. Rejects with ConversationLockedError while a process writes, UnknownConversationError. */
  delete(id: ConversationId): Promise<void>;
  close(): Promise<void>;
}

/** Filter for a list of conversations. A store may hold millions, so no query asks for all of them. */
export interface ConversationQuery {
  /** Only conversations held in one of these folders, and those of which no folder is known. */
  readonly folders?: readonly string[] | undefined;
  /** Only conversations with this text in their title or in a message, in capitals or not. */
  readonly text?: string | undefined;
  /** Only conversations in which something was said to real agents, and those that are damaged. */
  readonly isReal?: boolean | undefined;
  readonly limit: number;
  /** The page ends when so many were looked at: text is looked for in whole logs, which takes time. Default: no matter how many. */
  readonly lookedAt?: number | undefined;
  /** The `next` of the page before. */
  readonly from?: number | undefined;
}

export interface ConversationPage {
  readonly summaries: readonly ConversationSummary[];
  /** The `from` of the next page; absent on the last one. */
  readonly next?: number;
}

export interface CreateOptions {
  /**
   * The folder on this machine that the conversation is held in. Not a fact of the conversation: it is in no
   * event and in no export, and changes when the conversation is continued elsewhere.
   */
  readonly folder?: string;
}

/** Everything that is in a conversation that is saved whole, in this order. */
export interface ConversationContents {
  /** Events that have their numbers and times already. */
  readonly restored?: Iterable<RecordedEvent>;
  /** Facts that are appended to them. */
  readonly added?: readonly ConversationFact[];
  /** Gives the checkpoint, if there is to be one; called once all events have been read. */
  readonly checkpoint?: () => Checkpoint | null;
}

export interface OpenOptions extends CreateOptions {
  /** Takes the conversation from a process that is known to be gone, for instance one of another machine. */
  readonly takeOver?: boolean;
  /** Keeps its place in the list: it is changed, not continued. */
  readonly inPlace?: boolean;
}

/** A conversation, open for reading. */
export interface ConversationReader {
  readonly id: ConversationId;
  /** The number of the last event there is; 0 before the first. */
  readonly lastSeq: number;
  /** The number of the last event that was restored, not appended: what came before belongs to another log. Absent: none. */
  readonly restoredSeq?: number;
  /**
   * The events from one number to another, both included, in order; without numbers all of them. Throws StoreDamagedError
   * in the place of the first event that is not as it was written.
   */
  read(from?: number, to?: number): AsyncIterable<RecordedEvent>;
  /** The newest one; null when there is none or it cannot be used. */
  readCheckpoint(): Promise<Checkpoint | null>;
  close(): Promise<void>;
}

/**
 * The log of one conversation, open for writing by one process. Facts count for the writer as soon as `append` returns,
 * so that it can decide without waiting; everything others could notice of them waits until they are `kept`.
 */
export interface ConversationLog extends ConversationReader {
  /** The process that had it open and is gone without having closed it. */
  readonly takenOverFrom?: LostLease;
  /** Saves an answer that is too long for a message, until the conversation is deleted. Gives its file. Absent: no file can be saved. */
  saveAnswer?(turnId: TurnId, text: string): Promise<string>;
  /**
   * Numbers the facts and dates them. They become durable in this order, all of one call or none; when it throws, none.
   *
   * @param claim What they follow from, in a store that other processes write into as well: it is taken with them, once.
   */
  append(facts: readonly ConversationFact[], claim?: Claim): RecordedEvent[];
  /** Resolves when all that was appended is durable, rejects when it never will be. Undefined: it is durable now. */
  kept(): Promise<void> | undefined;
  /** Saves events that have their numbers and times already; they must continue where this log ends. */
  restore(events: Iterable<RecordedEvent>): Promise<void>;
  /** Keeps a checkpoint in place of the one before. */
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>;
}

/** Things that other processes left in the store for the one that writes a conversation; facts follow from them. */
export interface Claim {
  /** The number of a command. */
  readonly command?: number;
  /** Reports of the worker that runs a turn, up to this number. */
  readonly reports?: { readonly turnId: TurnId; readonly upTo: number };
}

/** The process that writes a conversation. */
export interface LeaseHolder extends ProcessIdentity {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The login of the process at a store that many machines share. */
  readonly role?: string;
}

/** A lease that another process took over because its holder is gone. */
export interface LostLease extends LeaseHolder {
  /** The process that has it now, as people write it, at a store that many machines share: `kim@desk`. */
  readonly continuedBy?: string;
}

/** State that follows from the events up to `seq`, so that they need not be read again. A cache: the events are the truth. */
export interface Checkpoint {
  readonly seq: number;
  /** Plain data, in the form of the caller that saves it. */
  readonly value: unknown;
}

const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Whether a conversation can be kept under this id: 1 to 64 letters, digits and hyphens. */
export function isSafeId(id: string): id is ConversationId {
  return SAFE_ID.test(id);
}
