import { english } from '../../catalogue/english.js';
import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { askedFor } from '../../conversation/questions.js';
import type { PauseReason } from '../../models/ConversationEvent.js';

const sentences = english.standing;

/** Where a stored conversation stands, in lines: what was cut off, what waits, and why it does not go on. */
export function describeStanding(
  { state }: ConversationStatus,
  nameOf: (memberId: string) => string,
): readonly string[] {
  const { running, unfinished, queue, pause } = state;
  const people = askedFor(state);
  const lines = [
    ...running.map(({ turnId, memberId }) => sentences.interrupted(turnId, nameOf(memberId))),
    ...unfinished.map(({ turn: { turnId, memberId } }) => sentences.unfinished(turnId, nameOf(memberId))),
    ...(queue.length > 0 ? [sentences.queue(queue.map(({ memberId }) => nameOf(memberId)))] : []),
    ...(pause === null ? [] : [describePause(pause)]),
    ...(people.length > 0 ? [sentences.awaited(people.map(nameOf))] : []),
  ];
  return lines.length > 0 ? lines : [sentences.nothing];
}

function describePause(reason: PauseReason): string {
  if (reason.kind !== 'limit') return sentences.pauses[reason.kind];
  const { limit, count, max } = reason;
  return english.print.paused(english.limits[limit](max), count);
}
