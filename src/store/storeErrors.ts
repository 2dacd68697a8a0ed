import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { LeaseHolder } from './Store.js';

/** Another process writes this conversation. It can still be read. */
export class ConversationLockedError extends HuddleError<'CONVERSATION_LOCKED'> {
  readonly conversationId: ConversationId;
  readonly holder: LeaseHolder;

  constructor(conversationId: ConversationId, holder: LeaseHolder) {
    super(
      'CONVERSATION_LOCKED',
      `Conversation ${conversationId} is open in process ${holder.pid} on ${holder.host}. Close it there, or only read it.`,
    );
    this.conversationId = conversationId;
    this.holder = holder;
  }
}

/** Another process took this conversation over; what was to be written is not. */
export class LeaseLostError extends HuddleError<'LEASE_LOST'> {
  constructor(conversationId: ConversationId) {
    super('LEASE_LOST', `Conversation ${conversationId} was taken over by another process; open it again.`);
  }
}

export class UnknownConversationError extends HuddleError<'UNKNOWN_CONVERSATION'> {
  readonly conversationId: string;

  constructor(conversationId: string) {
    super('UNKNOWN_CONVERSATION', `No conversation "${conversationId}".`);
    this.conversationId = conversationId;
  }
}

export class ConversationExistsError extends HuddleError<'CONVERSATION_EXISTS'> {
  readonly conversationId: string;

  constructor(conversationId: string) {
    super('CONVERSATION_EXISTS', `A conversation "${conversationId}" already exists.`);
    this.conversationId = conversationId;
  }
}

/** Written by a newer Huddle; nothing was changed. */
export class StoreNewerError extends HuddleError<'STORE_NEWER'> {
  readonly found: number;
  readonly known: number;

  constructor(what: string, found: number, known: number) {
    super(
      'STORE_NEWER',
      `${what} has version ${found}; this Huddle knows versions up to ${known}. Update Huddle to open it. Nothing was changed.`,
    );
    this.found = found;
    this.known = known;
  }
}

/** Written by a Huddle from before the first release; nothing was read or changed. */
export class StoreOlderError extends HuddleError<'STORE_OLDER'> {
  constructor(what: string, next: string) {
    super(
      'STORE_OLDER',
      `${what} is from before the first release of Huddle; this one cannot read it. ${next}.`,
    );
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
    readonly reason: string;
    readonly conversationId?: ConversationId;
    readonly intactEvents?: number;
    readonly cause?: unknown;
  }) {
    const { file, reason, conversationId, intactEvents, cause } = facts;
    const where = conversationId === undefined ? file : `Conversation ${conversationId} in ${file}`;
    const rest = describeRest(conversationId, intactEvents);
    super('STORE_DAMAGED', `${where} is damaged: ${reason}. The file was not changed. ${rest}`, { cause });
    this.file = file;
    this.conversationId = conversationId;
    this.intactEvents = intactEvents;
  }
}

function describeRest(conversationId: ConversationId | undefined, intactEvents: number | undefined): string {
  if (intactEvents !== undefined) return `Its first ${intactEvents} events can be read.`;
  return conversationId === undefined
    ? 'Restore a copy, or move it away to start with an empty one.'
    : 'You can delete it; the others still work.';
}

/** The file could not be used: full disk, no permission, a failing device. What was to be written is not. */
export class StoreWriteError extends HuddleError<'STORE_WRITE'> {
  readonly file: string;
  /** Free bytes on the disk of the file; absent when the system does not report them. */
  readonly freeBytes?: number;

  constructor(file: string, reason: string, freeBytes?: number, cause?: unknown) {
    const free = freeBytes === undefined ? '' : ` (${Math.floor(freeBytes / 1024)} KB free)`;
    super(
      'STORE_WRITE',
      `Cannot use ${file}: ${reason}${free}. Nothing was written; what was saved before is still there.`,
      { cause },
    );
    this.file = file;
    this.freeBytes = freeBytes;
  }
}

/** There is no SQLite here. */
export class StoreUnavailableError extends HuddleError<'STORE_UNAVAILABLE'> {
  constructor(packageName: string, cause?: unknown) {
    super(
      'STORE_UNAVAILABLE',
      `Sessions cannot be saved: this Node has no SQLite and ${packageName} is not installed. ` +
        `Run \`npm install ${packageName}\`, use Node 22.13 or newer, or continue in memory.`,
      { cause },
    );
  }
}
