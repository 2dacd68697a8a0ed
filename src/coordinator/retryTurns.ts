import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
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
