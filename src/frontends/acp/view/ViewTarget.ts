import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';

/** The client of a session, as far as it is shown something. */
export interface ViewTarget {
  /** Sends an update; resolves when it is on the wire. */
  update(update: SessionUpdate): Promise<void>;
  askPermission(
    question: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** The client understands `session.notices`. */
  readonly hasNotices: boolean;
}
