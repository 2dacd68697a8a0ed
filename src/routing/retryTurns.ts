import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { AgentMember } from '../models/Team.js';
import { turnIdOf } from './queueTurns.js';

/** The same turns once more, numbered after those there were; the turns of a blind round stay together. */
export function retryTurns(turns: readonly QueuedTurn[], turnCount: number): QueuedTurn[] {
  const rounds = new Map<TurnId, TurnId>();
  return turns.map((turn, index) => {
    const again = { ...turn, turnId: turnIdOf(turnCount + index), retryOf: turn.turnId };
    if (turn.blindRound === undefined) return again;
    const blindRound = rounds.get(turn.blindRound) ?? again.turnId;
    rounds.set(turn.blindRound, blindRound);
    return { ...again, blindRound };
  });
}

/** A member could not go on in its own session: the same turn comes next, with the whole prompt, and that is said. */
export function resendAfterLostSession(
  { id }: AgentMember,
  turn: QueuedTurn,
  turnCount: number,
): ConversationFact[] {
  return [
    { type: 'notice', code: 'session-lost', memberId: id, because: 'refused' },
    { type: 'turns-queued', turns: retryTurns([turn], turnCount), place: 'front' },
  ];
}
