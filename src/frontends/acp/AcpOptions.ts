import type { Conversations } from '../../coordinator/Conversations.js';

/** Options of `serveAcp`. */
export interface AcpOptions {
  /** Called after the client has said who it is, and again for the next request if it failed. */
  openConversations(): Promise<Conversations>;
  /** Name of the person who speaks. Default: the first person of the team. */
  readonly as?: string | undefined;
  /** Hears of errors that are none of ours to expect; the client is told that there was one. */
  onUnexpected(error: unknown): void;
}
