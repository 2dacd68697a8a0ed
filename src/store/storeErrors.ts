import {
  HuddleError,
  type StoreDamage,
  type StoreDistrust,
  type StoredThing,
  type StoreLack,
  type StoreUrlFault,
} from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { FileReason } from '../utils/fileReason.js';
import type { LeaseHolder } from './Store.js';

/** Another process writes this conversation. It can still be read. */
export class ConversationLockedError extends HuddleError<'CONVERSATION_LOCKED'> {
  readonly conversationId: ConversationId;
  readonly holder: LeaseHolder;

  constructor(conversationId: ConversationId, holder: LeaseHolder) {
    super('CONVERSATION_LOCKED', { id: conversationId, pid: holder.pid, host: holder.host });
    this.conversationId = conversationId;
    this.holder = holder;
  }
}

/** Another process took this conversation over; what was to be written is not. */
export class LeaseLostError extends HuddleError<'LEASE_LOST'> {
  constructor(conversationId: ConversationId) {
    super('LEASE_LOST', { id: conversationId });
  }
}

export class UnknownConversationError extends HuddleError<'UNKNOWN_CONVERSATION'> {
  readonly conversationId: string;

  constructor(conversationId: string) {
    super('UNKNOWN_CONVERSATION', { id: conversationId });
    this.conversationId = conversationId;
  }
}

export class ConversationExistsError extends HuddleError<'CONVERSATION_EXISTS'> {
  readonly conversationId: string;

  constructor(conversationId: string) {
    super('CONVERSATION_EXISTS', { id: conversationId });
    this.conversationId = conversationId;
  }
}

/** Written by a newer Huddle; nothing was changed. */
export class StoreNewerError extends HuddleError<'STORE_NEWER'> {
  readonly found: number;
  readonly known: number;

  constructor(thing: StoredThing, found: number, known: number) {
    super('STORE_NEWER', { thing, found, known });
    this.found = found;
    this.known = known;
  }
}

/** Written by a Huddle from before the first release; nothing was read or changed. */
export class StoreOlderError extends HuddleError<'STORE_OLDER'> {
  constructor(thing: StoredThing) {
    super('STORE_OLDER', { thing });
  }
}

/** Something is not as it was written. What was handed out before this error is right. */
export class StoreDamagedError extends HuddleError<'STORE_DAMAGED'> {
  readonly file: string;
  readonly conversationId?: ConversationId;
  /** Number of events, from the beginning of the conversation, that are known to be right. */
  readonly intactEvents?: number;

  constructor(facts: {
    readonly file: string;
    readonly damage: StoreDamage;
    readonly conversationId?: ConversationId;
    readonly intactEvents?: number;
    readonly cause?: unknown;
  }) {
    const { file, damage, conversationId, intactEvents, cause } = facts;
    super('STORE_DAMAGED', { file, id: conversationId, damage, intactEvents }, { cause });
    this.file = file;
    this.conversationId = conversationId;
    this.intactEvents = intactEvents;
  }
}

/** The file could not be used: full disk, no permission, a failing device. If something was to be written, it is not. */
export class StoreWriteError extends HuddleError<'STORE_WRITE'> {
  readonly file: string;
  /** Free bytes on the disk of the file; absent when the system does not report them. */
  readonly freeBytes?: number;

  constructor(
    file: string,
    reason: FileReason,
    freeBytes?: number,
    cause?: unknown,
    use: 'read' | 'write' = 'write',
  ) {
    super('STORE_WRITE', { file, reason, freeBytes, use }, { cause });
    this.file = file;
    this.freeBytes = freeBytes;
  }
}

/** There is no SQLite here. */
export class StoreUnavailableError extends HuddleError<'STORE_UNAVAILABLE'> {
  constructor(packageName: string, cause?: unknown) {
    super('STORE_UNAVAILABLE', { packageName }, { cause });
  }
}

/** The database and login that an error is about. */
export interface FailurePlace {
  readonly store: string;
  readonly role: string;
}

/** The database does not answer, or only that it cannot now. What was kept is kept. */
export class StoreOutOfReachError extends HuddleError<'STORE_OUT_OF_REACH'> {
  /**
   * @param why The server answers, and is not believed to be the right one, has not enough of something, or a role keeps locked what is
   * needed in an open transaction; empty: it is not known which one.
   */
  constructor(
    store: string,
    detail: string,
    cause?: unknown,
    why: { readonly distrust?: StoreDistrust; readonly lack?: StoreLack; readonly heldUpBy?: string } = {},
  ) {
    super('STORE_OUT_OF_REACH', { store, detail, ...why }, { cause });
  }
}

/** The database knows the login and does not let it do this. */
export class StoreRefusedError extends HuddleError<'STORE_REFUSED'> {
  /** The words of the server. */
  readonly detail: string;

  /** @param isLogin The login itself was refused, not what it wanted to do. */
  constructor(store: string, role: string, detail: string, isLogin: boolean, cause?: unknown) {
    super('STORE_REFUSED', { store, role, detail, isLogin }, { cause });
    this.detail = detail;
  }
}

/** The database holds no store, or one that has to be upgraded first. */
export class StoreNotSetUpError extends HuddleError<'STORE_NOT_SET_UP'> {
  constructor(store: string, isOlder: boolean, cause?: unknown) {
    super('STORE_NOT_SET_UP', { store, isOlder }, { cause });
  }
}

/** A URL that is not safe or not understood; nothing was sent. */
export class StoreUrlError extends HuddleError<'STORE_URL'> {
  constructor(fault: StoreUrlFault, options?: ErrorOptions) {
    super('STORE_URL', { fault }, options);
  }
}

/** Only the role that made a conversation, or the owner of the store, deletes it. */
export class NotYoursError extends HuddleError<'NOT_YOURS'> {
  constructor(id: string, creator: string) {
    super('NOT_YOURS', { id, creator });
  }
}

/** The role neither began the conversation nor is a person of its team: what it wrote there would not count. */
export class NotInConversationError extends HuddleError<'NOT_IN_CONVERSATION'> {
  constructor(id: string, role: string) {
    super('NOT_IN_CONVERSATION', { id, role });
  }
}
