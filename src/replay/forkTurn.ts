import { applyFact, INITIAL_STATE } from '../conversation/ConversationState.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { Limits } from '../models/Team.js';
import { type ForkedEvents, forkEvents } from '../store/forkConversation.js';
import type { Store } from '../store/Store.js';

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

/** Saves a fork as a conversation under this id. */
export function saveFork(store: Store, id: ConversationId, { facts, added }: TurnFork): Promise<void> {
  const restored = facts.map((fact) =>
    fact.type === 'conversation-start' ? { ...fact, conversationId: id } : fact,
  );
  return store.createWhole(id, { restored, added });
}

/** The limits of a fork: one more turn, and no other limit, since it does not matter what the past has reached. */
export function limitToTurn(
  { usd: _, tokens: __, checkRounds: ___, ...limits }: Limits,
  { turnCount }: TurnFork,
): Limits {
  return { ...limits, agentTurns: turnCount + 1, pairTurns: Infinity, sameAnswer: Infinity };
}
