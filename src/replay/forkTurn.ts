import { applyFact, INITIAL_STATE } from '../conversation/ConversationState.js';
import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { TurnFork } from './Replay.js';

/**
 * The past of one turn: everything that was recorded before it started, with that turn alone in the queue. Turns that ran at
 * the same time, in a blind round, have not begun there. Undefined: no such turn started.
 */
export function forkTurn(events: readonly RecordedEvent[], turnId: TurnId): TurnFork | undefined {
  const at = events.findIndex((event) => event.type === 'turn-start' && event.turnId === turnId);
  if (at === -1) return undefined;
  const past = events.slice(0, at);
  const ended = new Set(past.flatMap((event) => (event.type === 'turn-end' ? event.turnId : [])));
  const begun = past.filter((event) => !('turnId' in event) || !isOpen(event, ended));
  const { queue, counters } = begun.reduce(applyFact, INITIAL_STATE);
  if (!queue.some((turn) => turn.turnId === turnId)) return undefined;
  const others = queue.filter((turn) => turn.turnId !== turnId).map((turn) => turn.turnId);
  const drop: readonly ConversationFact[] =
    others.length === 0 ? [] : [{ type: 'turns-dropped', turnIds: others }];
  const { v, at: time } = past.at(-1) ?? { v: 1, at: 0 };
  const facts = [...begun, ...drop.map((fact) => ({ ...fact, v, at: time }))];
  return {
    id: turnId,
    events: facts.map((fact, index) => ({ ...fact, seq: index + 1 }) as RecordedEvent),
    turnCount: counters.turns.count,
  };
}

/** Whether it is part of a turn that has started and not ended; what queues a turn or drops it is none. */
function isOpen(event: RecordedEvent, ended: ReadonlySet<TurnId>): boolean {
  switch (event.type) {
    case 'turn-start':
    case 'turn-activity':
    case 'permission-decided':
      return !ended.has(event.turnId);
    default:
      return false;
  }
}
