import type { RecordedEvent } from '../models/ConversationEvent.js';

/** Facts that were recorded when the conversation was opened, and those that were written into it before that. */
export interface Opening {
  /** The first, and not one of a conversation that was there already. */
  readonly isStart: boolean;
  /** Facts of a fork: they are in the log when it is opened. */
  readonly given: readonly RecordedEvent[];
  readonly facts: readonly RecordedEvent[];
  /** Place of the fact after them. */
  readonly next: number;
}

/**
 * Finds the facts that were recorded when the conversation was opened at this place of the log. Undefined: it was not.
 * Opened without anything to say, it leaves no fact, and continues as if it had been open all the time.
 */
export function findOpening(events: readonly RecordedEvent[], index: number): Opening | undefined {
  if (events[index]?.type === 'conversation-start') return findStart(events, index);
  let given = index;
  let next = findEnd(events, index);
  // Cut in the middle of an opening, a fork has some of its facts: nothing ran after them.
  while (events[next]?.type === 'conversation-forked') {
    given = next;
    while (isOfFork(events[given], events[given + 1])) given += 1;
    next = findEnd(events, given);
  }
  if (next === index) return undefined;
  return { isStart: false, given: events.slice(index, given), facts: events.slice(given, next), next };
}

/** The start has a profile of every agent of its team; those of others belong to the next opening. */
function findStart(events: readonly RecordedEvent[], index: number): Opening {
  const [start] = events;
  const members = start?.type === 'conversation-start' ? start.team.members : [];
  const missing = new Set(members.map(({ id }) => id));
  let next = index + 1;
  for (; next < events.length; next += 1) {
    const event = events[next];
    const isOfStart = event?.type === 'profile-changed' && missing.delete(event.memberId);
    if (!isOfStart && event?.type !== 'task-changed') break;
  }
  return { isStart: true, given: [], facts: events.slice(index, next), next };
}

/** Finds the place after the facts that opening a conversation records, from a place on. */
function findEnd(events: readonly RecordedEvent[], index: number): number {
  const facts: RecordedEvent[] = [];
  let next = index;
  for (let rank = 0; next < events.length; next += 1) {
    const event = events[next] as RecordedEvent;
    const place = isLostSession(event, facts.at(-1)) ? rank : rankOf(event, events[next + 1]);
    if (place === undefined || place < rank || isRepeated(event, facts)) break;
    // By itself it is said before a turn.
    if (facts.length === 0 && event.type === 'notice' && event.code === 'session-not-forked') break;
    rank = place;
    facts.push(event);
  }
  return next;
}

/** Ends of turns that ran in the original, and those that wait there; and the same of a fork of the fork. */
function isOfFork(event: RecordedEvent | undefined, next: RecordedEvent | undefined): boolean {
  if (event?.type === 'conversation-forked') return true;
  if (event?.type === 'turn-end') return event.result.kind === 'interrupted';
  return event?.type === 'turns-dropped' && rankOf(event, next) === undefined;
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
