import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader, Store } from '../Store.js';

/** A store that processes of many machines share, with what they need to know of each other. */
export interface SharedStore extends Store {
  readonly database: SharedDatabase;
  readonly presence: Presence;
  readonly listener: Listener;
  read(id: ConversationId): Promise<SharedReader>;
  /** Notes that this role looked at a conversation from a folder of this machine, which `list` asks for. Opening does so itself. */
  visit(id: ConversationId, folder: string): Promise<void>;
}

/** A conversation, open for reading what is there, and what comes. */
export interface SharedReader extends ConversationReader {
  /** Reads up to this event from now on: the process that wrote it has told of it. */
  extendTo(seq: number): void;
}

/** Row of an answer; columns by name. */
export type SharedRow = Readonly<Record<string, unknown>>;

/** Sends one statement. Values are never part of its text. */
export type Query = <Answer extends SharedRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<Answer[]>;

/** The connections to a shared store. Everything rejects with StoreOutOfReachError or StoreRefusedError. */
export interface SharedDatabase {
  /** The login that the server knows this process by: `session_user`. */
  readonly role: string;
  /** Random, made with the store: signatures name it. */
  readonly storeId: string;
  /** On any connection. */
  readonly query: Query;
  /** The same, but waits so many milliseconds at most for the answer. */
  ask<Answer extends SharedRow>(
    text: string,
    values: readonly unknown[],
    milliseconds: number,
  ): Promise<Answer[]>;
  /** All statements of `work` in one transaction on one connection; when it rejects, none of them counts. */
  transaction<Value>(work: (query: Query) => Promise<Value>): Promise<Value>;
}

/** The row that says that this process is here; all that it holds and runs hangs on it. */
export interface Presence {
  /** Resolves with the id of the row, which is made by the first call: whoever only reads has none. */
  arrive(): Promise<string>;
  /** Tells others what this process runs for them; null: nothing. */
  offer(offers: Offers | null): Promise<void>;
  /** Calls back when the row could not be renewed for so long that others may have taken over, and when it could again. */
  subscribe(listener: (news: PresenceNews) => void): () => void;
}

export type PresenceNews =
  /** The store does not answer, for so many milliseconds so far; nothing is lost yet. */
  | { readonly kind: 'silent'; readonly milliseconds: number }
  /** So long that turns of this process are stopped now. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'back' };

/** The members and teams that a worker runs for others, by name. */
export interface Offers {
  readonly members: readonly string[];
  readonly teams: readonly string[];
}

/** The one connection on which the server tells news. */
export interface Listener {
  /** Calls back for every payload on a channel, and with undefined whenever some may have been missed. Returns the end of it. */
  listen(channel: string, onPayload: (payload: string | undefined) => void): () => void;
  /** Tells whoever listens. A hint that may get lost: never rejects. A payload has less than 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
}

/** Whether processes of other machines use this store as well. */
export function isShared(store: Store): store is SharedStore {
  return 'presence' in store;
}
