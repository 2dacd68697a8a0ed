import { applyFact, INITIAL_STATE } from '../conversation/ConversationState.js';
import { type ForkedEvents, forkEvents } from '../coordinator/forkEvents.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';

/** The past of one turn: everything that was recorded before it started, with that turn alone in the queue. */
export interface TurnFork extends Pick<ForkedEvents, 'facts' | 'added'> {
  /** Turns since a person last spoke: limits are counted from there. */
  readonly turnCount: number;
}

/** Forks a recording before a turn. Undefined: that turn did not wait there, so nothing can be asked. */
export function forkTurn(events: readonly RecordedEvent[], turnId: TurnId): TurnFork | undefined {
  const keep = (turn: { readonly turnId: TurnId }) => turn.turnId === turnId;
  const { facts, added } = forkEvents(events, { beforeTurn: turnId }, { keep });
  const { queue, counters } = [...facts, ...added].reduce(applyFact, INITIAL_STATE);
  return queue.some(keep) ? { facts, added, turnCount: counters.turns.count } : undefined;
}
