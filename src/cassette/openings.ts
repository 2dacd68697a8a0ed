import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { Opening } from './PlayStep.js';

/** Facts of one opening, and where those after it begin. */
export interface FoundOpening {
  readonly opening: Opening;
  readonly next: number;
}

/**
 * Finds the facts that were recorded when the conversation was opened at this place of the log. Undefined: it was not.
 * Opened without anything to say, it leaves no fact, and continues as if it had been open all the time.
 */
export function findOpening(events: readonly RecordedEvent[], index: number): FoundOpening | undefined {
  const first = events[index];
  if (first?.type === 'conversation-start') return findStart(events, index);
  const given: RecordedEvent[] = [];
  let found = findFacts(events, index);
  // Cut in the middle of an opening, a fork has some of its facts: nothing ran after them.
  for (let next = found.next; events[next]?.type === 'conversation-forked'; next = found.next) {
    while (isOfFork(events[next], events[next + 1])) next += 1;
    given.push(...events.slice(index + given.length, next));
    found = findFacts(events, next);
  }
  const { facts, next } = found;
  if (given.length + facts.length === 0) return undefined;
  return { opening: { isStart: false, given, facts }, next };
}

interface FoundFacts {
  readonly facts: readonly RecordedEvent[];
  readonly next: number;
}

/** Finds the facts that opening a conversation records, from a place on. */
function findFacts(events: readonly RecordedEvent[], index: number): FoundFacts {
  const facts: RecordedEvent[] = [];
  let next = index;
  for (let rank = 0; next < events.length; next += 1) {
    const event = events[next] as RecordedEvent;
    const place = isLostSession(event, facts.at(-1)) ? rank : rankOf(event, events[next + 1]);
    if (place === undefined || place < rank || isRepeated(event, facts)) break;
    // By itself it is said before a turn.
    if (facts.length === 0 && isOfSession(event)) break;
    rank = place;
    facts.push(event);
  }
  return { facts, next };
}

/** Ends of turns that ran in the original, and those that wait there; and the same of a fork of the fork. */
function isOfFork(event: RecordedEvent | undefined, next: RecordedEvent | undefined): boolean {
  if (event?.type === 'conversation-forked') return true;
  if (event?.type === 'turn-end') return event.result.kind === 'interrupted';
  return event?.type === 'turns-dropped' && rankOf(event, next) === undefined;
}

/** Whether it was opened with another team than before. */
export function hasOtherTeam({ isStart, given, facts }: Opening): boolean {
  return !isStart && [...given, ...facts].some(({ type }) => type === 'profile-changed');
}

/** The start has a profile of every agent of its team; those of others belong to the next opening. */
function findStart(events: readonly RecordedEvent[], index: number): FoundOpening {
  const [start] = events;
  const members = start?.type === 'conversation-start' ? start.team.members : [];
  const missing = new Set(members.map(({ id }) => id));
  let next = index + 1;
  for (; next < events.length; next += 1) {
    const event = events[next];
    const isOfStart = event?.type === 'profile-changed' && missing.delete(event.memberId);
    if (!isOfStart && event?.type !== 'task-changed') break;
  }
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
