import type { ConversationState } from '../conversation/ConversationState.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';

/** Facts to record when a person stops the running turns; `drop`: those that wait will not run either. */
export function describeCancel(
  { pause, running, queue }: ConversationState,
  drop: boolean,
): ConversationFact[] {
  const isPausing = pause === null && running.length + queue.length > 0;
  return [
    ...(isPausing ? [{ type: 'conversation-pause', reason: { kind: 'cancelled' } } as const] : []),
    ...(drop ? dropTurns(queue) : []),
  ];
}

/** The same facts; the turns that follow from them will not run. */
export function dropFollowing(facts: readonly ConversationFact[]): readonly ConversationFact[] {
  const queued = facts.flatMap((fact) => (fact.type === 'turns-queued' ? fact.turns : []));
  return [...facts, ...dropTurns(queued)];
}

/** The fact that turns will not run; none for no turns. */
export function dropTurns(turns: readonly QueuedTurn[]): ConversationFact[] {
  if (turns.length === 0) return [];
  return [{ type: 'turns-dropped', turnIds: turns.map(({ turnId }) => turnId) }];
}
