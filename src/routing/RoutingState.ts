import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';

/** What of a conversation decides who is next. */
export interface RoutingState {
  readonly queue: readonly QueuedTurn[];
  readonly turnCount: number;
  readonly lastHuman: MemberId | null;
  readonly lastAgent: MemberId | null;
}
