import { describePause } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { askedFor } from '../../conversation/questions.js';
import type { ConversationSummary } from '../../store/summary.js';

type Holder = ConversationSummary['holder'];

/** Describes the status of a stored conversation, in lines: what runs or was cut off, what waits, and why it does not continue. */
export function describeSessionStatus(
  { state }: ConversationStatus,
  nameOf: (memberId: string) => string,
  holder: Holder,
): readonly string[] {
  const { running, unfinished, queue, pause } = state;
  const people = askedFor(state);
  const lines = [
    ...running.map(({ turnId, memberId }) => describeOpenTurn(turnId, nameOf(memberId), holder)),
    ...unfinished.map(({ turn: { turnId, memberId } }) =>
      words.sessionStatus.unfinished(turnId, nameOf(memberId)),
    ),
    ...(queue.length > 0 ? [words.sessionStatus.queue(queue.map(({ memberId }) => nameOf(memberId)))] : []),
    ...(pause === null ? [] : [describePause(pause)]),
    ...(people.length > 0 ? [words.sessionStatus.awaited(people.map(nameOf))] : []),
  ];
  return lines.length > 0 ? lines : [words.sessionStatus.nothing];
}

/** A turn of which the log says only that it began: it runs if a process has the conversation open, else it was cut off. */
export function describeOpenTurn(turnId: string, name: string, holder: Holder): string {
  const { running, interrupted } = words.sessionStatus;
  return holder === undefined ? interrupted(turnId, name) : running(turnId, name, holder);
}
