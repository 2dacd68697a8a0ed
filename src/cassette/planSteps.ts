import { questionOfRequest } from '../agents/cassette/recordedEvents.js';
import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import { nextTurns } from '../conversation/TurnQueue.js';
import type { PermissionDecided, RecordedEvent, TurnEnd } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { findOpening } from './openings.js';
import type { PersonAct, PlayStep } from './PlayStep.js';

/** A step, and the number of its place in the recording. */
export interface PlannedStep {
  readonly step: PlayStep;
  readonly index: number;
}

/** Finds, in the order of a recording, all that has to happen for it to come about again. What follows by itself is no step. */
export function planSteps(events: readonly RecordedEvent[], from = 0): PlannedStep[] {
  const plan = new Planner(events);
  for (let index = 0; index < events.length; ) index = plan.take(index, index >= from);
  return plan.steps;
}

class Planner {
  readonly steps: PlannedStep[] = [];
  readonly #events: readonly RecordedEvent[];
  readonly #decisions = new Map<string, PermissionDecided>();
  /** Requests that cannot be asked again. */
  readonly #unknown = new Set<string>();
  readonly #activities = new Map<TurnId, number>();
  #agenda: Agenda = EMPTY_AGENDA;
  #limits = 0;

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events;
    for (const event of events)
      if (event.type === 'permission-decided') this.#decisions.set(event.requestId, event);
  }

  /** Takes the fact at a place, or all of an opening. Returns the next place. */
  take(index: number, isWanted: boolean): number {
    const found = findOpening(this.#events, index);
    const step: PlayStep | undefined = found
      ? { kind: 'open', opening: found.opening }
      : this.#stepOf(this.#events[index] as RecordedEvent, index);
    const next = found?.next ?? index + 1;
    if (step !== undefined && isWanted) this.steps.push({ step, index });
    for (const event of this.#events.slice(index, next)) this.#agenda = applyToAgenda(this.#agenda, event);
    return next;
  }

  #stepOf(event: RecordedEvent, index: number): PlayStep | undefined {
    switch (event.type) {
      case 'turn-start':
        return { kind: 'start', event, isEarly: !this.#isNext(event.turnId) };
      case 'turn-activity':
        return this.#stepOfActivity(event);
      case 'permission-decided':
        return this.#stepOfDecision(event);
      case 'turn-end':
        return this.#stepOfEnd(event);
      case 'files-recorded':
        return { kind: event.by.kind === 'turns' ? 'files' : 'given', event };
      case 'notice':
        return FOUND_OUTSIDE.includes(event.code) ? { kind: 'given', event } : undefined;
      case 'conversation-pause':
        if (event.reason.kind === 'limit') return { kind: 'limit', nth: ++this.#limits, isEarly: false };
        return this.#act(event, index);
      default:
        return this.#act(event, index);
    }
  }

  #act(event: RecordedEvent, index: number): PlayStep | undefined {
    const act = actOf(this.#events, index, event);
    return act && { kind: 'act', act };
  }

  #isNext(turn: TurnId): boolean {
    return nextTurns(this.#agenda.queue).some(({ turnId }) => turnId === turn);
  }

  #stepOfActivity(event: Extract<RecordedEvent, { type: 'turn-activity' }>): PlayStep {
    const { turnId } = event;
    if (event.event.type === 'permission-request') {
      const { requestId } = event.event;
      const decided = this.#decisions.get(requestId);
      if (questionOfRequest(event.event, decided) !== undefined) return { kind: 'ask', event, decided };
      this.#unknown.add(requestId);
      return { kind: 'given', event };
    }
    const nth = (this.#activities.get(turnId) ?? 0) + 1;
    this.#activities.set(turnId, nth);
    return { kind: 'activity', event, nth };
  }

  #stepOfDecision(event: PermissionDecided & RecordedEvent): PlayStep | undefined {
    if (this.#unknown.has(event.requestId)) return { kind: 'given', event };
    if (event.by.kind === 'person') return { kind: 'act', act: { kind: 'decide', event } };
    return event.decision === 'cancelled' ? { kind: 'withdraw', event } : undefined;
  }

  #stepOfEnd(event: TurnEnd): PlayStep {
    const { running, queue } = this.#agenda;
    const turn = running.find(({ turnId }) => turnId === event.turnId);
    const round = (turn ?? queue.find(({ turnId }) => turnId === event.turnId))?.blindRound;
    const isTogether = (other: { turnId: TurnId; blindRound?: TurnId | undefined }): boolean =>
      other.turnId === event.turnId || (round !== undefined && other.blindRound === round);
    const together = running.filter(isTogether).map(({ turnId }) => turnId);
    if (turn === undefined && together.length === 0)
      return { kind: 'refuse', event, isEarly: event.result.kind === 'cancelled' };
    return { kind: 'end', event, together };
  }
}

/** Notices of what Huddle found outside of the conversation. */
const FOUND_OUTSIDE: readonly string[] = [
  'session-not-forked',
  'files-not-recorded',
  'file-collision',
  'folder-shared',
  'copy-behind',
];

/** Finds what a person did for a fact; undefined: it follows from another one. */
function actOf(events: readonly RecordedEvent[], index: number, event: RecordedEvent): PersonAct | undefined {
  const [before, next] = [events[index - 1], events[index + 1]];
  switch (event.type) {
    case 'message-added':
      return event.turnId === undefined ? { kind: 'say', event } : undefined;
    case 'title-changed':
      return { kind: 'rename', title: event.title ?? '' };
    case 'conversation-resume':
      return isEndOfPause(event, next) ? undefined : { kind: 'resume' };
    case 'turns-queued':
      return isRetry(event, before) ? { kind: 'retry' } : undefined;
    case 'turns-dropped':
      return isConsequence(before, next) ? undefined : { kind: 'cancel', drop: true };
    case 'conversation-pause':
      if (event.reason.kind === 'asked') return { kind: 'pause' };
      if (event.reason.kind !== 'cancelled') return undefined;
      return { kind: 'cancel', drop: isDropping(events, index) };
    default:
      return undefined;
  }
}

/** A message and a retry end a pause themselves. */
function isEndOfPause(
  { pastLimit }: Extract<RecordedEvent, { type: 'conversation-resume' }>,
  next: RecordedEvent | undefined,
): boolean {
  if (pastLimit || next === undefined) return false;
  return isRetry(next) || (next.type === 'message-added' && next.turnId === undefined);
}

/** A turn whose session was lost is sent again by Huddle itself, after a notice. */
function isRetry(event: RecordedEvent, before?: RecordedEvent): boolean {
  if (event.type !== 'turns-queued' || event.turns.some(({ retryOf }) => retryOf === undefined)) return false;
  return !(before?.type === 'notice' && before.code === 'session-lost');
}

/** Whether turns were dropped for others in their place, or because of the stop before it. */
function isConsequence(before: RecordedEvent | undefined, next: RecordedEvent | undefined): boolean {
  if (next?.type === 'turns-queued' || before?.type === 'turns-queued') return true;
  return before?.type === 'conversation-pause' && before.reason.kind === 'cancelled';
}

/** Whether a stop dropped what waits: at once, or as soon as it would have followed from a turn that ended all the same. */
function isDropping(events: readonly RecordedEvent[], index: number): boolean {
  if (events[index + 1]?.type === 'turns-dropped') return true;
  for (let at = index + 1; at < events.length; at += 1) {
    const [event, before] = [events[at], events[at - 1]];
    if (event?.type === 'turn-start' || event?.type === 'conversation-resume') return false;
    if (event?.type === 'turns-dropped' && before?.type === 'turns-queued')
      return event.turnIds.every((turnId) => before.turns.some((turn) => turn.turnId === turnId));
  }
  return false;
}
