import type { QueuedTurn, TurnsQueued } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';

/** The turns that wait, next first. */
export type TurnQueue = readonly QueuedTurn[];

export function enqueue(
  queue: TurnQueue,
  turns: readonly QueuedTurn[],
  place: TurnsQueued['place'],
): TurnQueue {
  return place === 'front' ? [...turns, ...queue] : [...queue, ...turns];
}

export function remove(queue: TurnQueue, turnIds: readonly TurnId[]): TurnQueue {
  return queue.filter(({ turnId }) => !turnIds.includes(turnId));
}

/** The turns that run next: one turn, or all queued turns of a blind round together. */
export function nextTurns(queue: TurnQueue): TurnQueue {
  const [first] = queue;
  if (first === undefined) return [];
  if (first.blindRound === undefined) return [first];
  return queue.filter(({ blindRound }) => blindRound === first.blindRound);
}
