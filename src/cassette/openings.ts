import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { Opening } from './PlayStep.js';

/** Facts of one opening, and where those after it begin. */
export interface FoundOpening {
  readonly opening: Opening;
  readonly next: number;
}

/**
 * Finds the facts that were recorded when the conversation was opened at this place of the log. Undefined: it was not.
 * Opened without anything to say, it leaves no fact, and goes on as if it had been open all the time.
 */
export function findOpening(events: readonly RecordedEvent[], index: number): FoundOpening | undefined {
  const first = events[index];
  if (first?.type === 'conversation-start') return findStart(events, index);
  let next = index;
  if (first?.type === 'conversation-forked')
    while (next === index || isOfFork(events[next], events[next + 1])) next += 1;
  const given = events.slice(index, next);
  const facts: RecordedEvent[] = [];
  for (let rank = 0; next < events.length; next += 1) {
    const event = events[next] as RecordedEvent;
    const place = isLostSession(event, facts.at(-1)) ? rank : rankOf(event, events[next + 1]);
    if (place === undefined || place < rank || isRepeated(event, facts)) break;
    // By itself it is said before a turn.
    if (facts.length === 0 && isOfSession(event)) break;
    rank = place;
    facts.push(event);
  }
  if (given.length + facts.length === 0) return undefined;
  return { opening: { isStart: false, given, facts }, next };
}

/** Ends of turns that ran in the original, and those that wait there. */
function isOfFork(event: RecordedEvent | undefined, next: RecordedEvent | undefined): boolean {
  if (event?.type === 'turn-end') return event.result.kind === 'interrupted';
  return event?.type === 'turns-dropped' && rankOf(event, next) === undefined;
}

/** Whether it was opened with another team than before. */
export function hasOtherTeam({ isStart, facts }: Opening): boolean {
  return !isStart && facts.some(({ type }) => type === 'profile-changed');
}

function findStart(events: readonly RecordedEvent[], index: number): FoundOpening {
  let next = index + 1;
  while (events[next]?.type === 'task-changed' || events[next]?.type === 'profile-changed') next += 1;
  return { opening: { isStart: true, given: [], facts: events.slice(index, next) }, next };
}

/** Place of a fact among those of an opening, see `describeReopening`; undefined: it is none of them. */
function rankOf(event: RecordedEvent, next: RecordedEvent | undefined): number | undefined {
  switch (event.type) {
    case 'notice':
      return RANK_OF_NOTICE[event.code];
    case 'turn-end':
      return event.result.kind === 'interrupted' ? 1 : undefined;
    case 'turns-dropped':
      return next?.type === 'notice' && next.code === 'members-gone' ? 4 : undefined;
    case 'profile-changed':
      return 5;
    case 'conversation-pause':
      return event.reason.kind === 'reopened' ? 6 : undefined;
    default:
      return undefined;
  }
}

const RANK_OF_NOTICE: Readonly<Record<string, number>> = {
  'lease-taken-over': 0,
  'turn-interrupted': 1,
  'session-not-forked': 3,
  'members-gone': 4,
};

function isOfSession(event: RecordedEvent): boolean {
  return event.type === 'notice' && event.code === 'session-not-forked';
}

/** An interrupted turn may have ended its session. */
function isLostSession(event: RecordedEvent, before: RecordedEvent | undefined): boolean {
  if (event.type !== 'notice' || event.code !== 'session-lost') return false;
  return before?.type === 'notice' && before.code === 'turn-interrupted';
}

/** An opening says each thing once. */
function isRepeated(event: RecordedEvent, facts: readonly RecordedEvent[]): boolean {
  return facts.some((fact) => {
    if (fact.type === 'profile-changed')
      return event.type === 'profile-changed' && fact.memberId === event.memberId;
    if (fact.type === 'notice' && event.type === 'notice' && fact.code === event.code)
      return event.code === 'lease-taken-over' || event.code === 'members-gone';
    return fact.type === 'conversation-pause' && event.type === 'conversation-pause';
  });
}
