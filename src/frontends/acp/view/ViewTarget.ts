import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';

/** A permission request as the client of a session is asked it. */
export type PermissionQuestionCard = Omit<RequestPermissionRequest, 'sessionId'>;

/** The client of a session, as far as it is shown something. */
export interface ViewTarget {
  /** Sends an update; resolves when it is on the wire. Rejects once the client is gone. */
  update(update: SessionUpdate): Promise<void>;
  /** Asks a person. The signal withdraws the question. */
  askPermission(question: PermissionQuestionCard, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** The client understands `session.notices`. */
  readonly hasNotices: boolean;
}

export interface ViewOptions {
  /** The folder agents work in: paths are shown from its root. */
  readonly folder: string;
}
