import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';

/** The same turns once more, numbered after those there were; the turns of a blind round stay together. */
export function retryTurns(turns: readonly QueuedTurn[], turnCount: number): QueuedTurn[] {
  const turnIds = turns.map((_, index) => `turn-${turnCount + index + 1}` as TurnId);
  const newIdOf = new Map(turns.map(({ turnId }, index) => [turnId, turnIds[index] as TurnId]));
  const rounds = new Map<TurnId, TurnId>();
  for (const { turnId, blindRound } of turns) {
    if (blindRound !== undefined && !rounds.has(blindRound))
      rounds.set(blindRound, newIdOf.get(turnId) as TurnId);
  }
  return turns.map((turn) => {
    const { turnId, blindRound } = turn;
    return {
      ...turn,
      turnId: newIdOf.get(turnId) as TurnId,
      retryOf: turnId,
      ...(blindRound !== undefined && { blindRound: rounds.get(blindRound) as TurnId }),
    };
  });
}
