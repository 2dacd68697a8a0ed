import { HuddleError, type StoreDistrust, type StoreLack, type StoreUrlFault } from '../../models/errors.js';

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
