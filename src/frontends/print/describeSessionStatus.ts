import { describePause } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { askedFor } from '../../conversation/questions.js';

/** Describes the status of a stored conversation, in lines: what was cut off, what waits, and why it does not continue. */
export function describeSessionStatus(
  { state }: ConversationStatus,
  nameOf: (memberId: string) => string,
): readonly string[] {
  const { running, unfinished, queue, pause } = state;
  const people = askedFor(state);
  const lines = [
    ...running.map(({ turnId, memberId }) => words.sessionStatus.interrupted(turnId, nameOf(memberId))),
    ...unfinished.map(({ turn: { turnId, memberId } }) =>
      words.sessionStatus.unfinished(turnId, nameOf(memberId)),
    ),
    ...(queue.length > 0 ? [words.sessionStatus.queue(queue.map(({ memberId }) => nameOf(memberId)))] : []),
    ...(pause === null ? [] : [describePause(pause)]),
    ...(people.length > 0 ? [words.sessionStatus.awaited(people.map(nameOf))] : []),
  ];
  return lines.length > 0 ? lines : [words.sessionStatus.nothing];
}
