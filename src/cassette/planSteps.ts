import { questionOfRequest } from '../agents/cassette/PlayedTurn.js';
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
  /** Nothing ran or waited then. */
  readonly isAtRest: boolean;
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
  /** A stop has dropped all that would follow from the turns that run. */
  #isDropping = false;

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
    const place = { index, isAtRest: this.#agenda.running.length + this.#agenda.queue.length === 0 };
    if (isWanted && this.#hasUnsaidStop(index)) this.steps.push({ step: UNSAID_STOP, ...place });
    if (step !== undefined && isWanted) this.steps.push({ step, ...place });
    if (step?.kind === 'start') this.#isDropping = false;
    if (step?.kind === 'act' && step.act.kind === 'cancel') this.#isDropping ||= step.act.drop;
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
        if (!FOUND_OUTSIDE.includes(event.code) || isResend(event, this.#events[index + 1])) return undefined;
        return { kind: 'given', event };
      case 'conversation-pause':
        if (event.reason.kind === 'limit') return { kind: 'limit', nth: ++this.#limits, isEarly: false };
        return isStop(event) ? this.#stop(index) : this.#act(event, index);
      case 'turns-dropped':
        return this.#isFollowing(event, index) ? undefined : { kind: 'act', act: DROP };
      default:
        return this.#act(event, index);
    }
  }

  /** A stop that drops what waits drops it at once, and later what would have followed from the turns that run. */
  #stop(index: number): PlayStep {
    const isFree = this.#agenda.queue.length === 0;
    const drop =
      this.#events[index + 1]?.type === 'turns-dropped' || (isFree && dropsLater(this.#events, index));
    return { kind: 'act', act: { kind: 'cancel', drop } };
  }

  /** Whether turns were dropped for others in their place, or because of a stop. */
  #isFollowing(event: Extract<RecordedEvent, { type: 'turns-dropped' }>, index: number): boolean {
    const [before, next] = [this.#events[index - 1], this.#events[index + 1]];
    if (next?.type === 'turns-queued' || isStop(before)) return true;
    return this.#isDropping && isDropOf(event, before);
  }

  /** A stop of what was paused already, and had nothing waiting, is no fact; what it did is seen at the end of the turn. */
  #hasUnsaidStop(index: number): boolean {
    const { pause, queue, running } = this.#agenda;
    if (this.#isDropping || pause === null || running.length === 0 || queue.length > 0) return false;
    this.#isDropping = dropsLater(this.#events, index);
    return this.#isDropping;
  }

  #act(event: RecordedEvent, index: number): PlayStep | undefined {
    const isOwnResume = event.type === 'conversation-resume' && this.#hasChosenBefore(index);
    const act = isOwnResume ? RESUME : actOf(this.#events, index, event);
    return act && { kind: 'act', act };
  }

  /** Whether a pause ended before the message after it: the turn that starts next was chosen, then others came in front of it. */
  #hasChosenBefore(index: number): boolean {
    let isBehind = false;
    for (let at = index + 1; at < this.#events.length; at += 1) {
      const event = this.#events[at] as RecordedEvent;
      if (event.type === 'turn-start') return isBehind && this.#isNext(event.turnId);
      if (event.type === 'conversation-pause') return false;
      isBehind ||= event.type === 'turns-queued' && event.place === 'front';
    }
    return false;
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
      return isEndOfPause(event, next) && !isAside(events, index + 1) ? undefined : RESUME;
    case 'turns-queued':
      return isRetry(event, before) ? { kind: 'retry' } : undefined;
    case 'conversation-pause':
      return event.reason.kind === 'asked' ? { kind: 'pause' } : undefined;
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

/** Whether a person only set the task: such a message ends no pause. */
function isAside(events: readonly RecordedEvent[], index: number): boolean {
  const message = events[index];
  if (message?.type !== 'message-added' || events[index + 1]?.type !== 'task-changed') return false;
  const rest = events.slice(index + 2);
  const next = rest.find((event) => event.type !== 'notice' || event.code === 'unknown-addressee');
  if (next?.type !== 'waiting-for-human' || next.named) return false;
  return next.memberIds.every((id) => id === message.message.speaker.roleId);
}

/** Whether turns are asked for again by a person. Huddle itself does so when their session is lost, after a notice. */
function isRetry(event: RecordedEvent, before?: RecordedEvent): boolean {
  return isAgain(event) && !isResend(before, event);
}

function isAgain(event: RecordedEvent | undefined): boolean {
  return event?.type === 'turns-queued' && event.turns.every(({ retryOf }) => retryOf !== undefined);
}

function isResend(notice: RecordedEvent | undefined, next: RecordedEvent | undefined): boolean {
  if (notice?.type !== 'notice' || !isAgain(next)) return false;
  return (
    notice.code === 'session-not-forked' || (notice.code === 'session-lost' && notice.because === 'refused')
  );
}

const RESUME = { kind: 'resume' } as const;
const DROP = { kind: 'cancel', drop: true } as const;
const UNSAID_STOP: PlayStep = { kind: 'act', act: DROP };

function isStop(event: RecordedEvent | undefined): boolean {
  return event?.type === 'conversation-pause' && event.reason.kind === 'cancelled';
}

/** Whether turns were dropped as soon as they were queued. */
function isDropOf(event: RecordedEvent | undefined, before: RecordedEvent | undefined): boolean {
  if (event?.type !== 'turns-dropped' || before?.type !== 'turns-queued') return false;
  return event.turnIds.every((dropped) => before.turns.some(({ turnId }) => turnId === dropped));
}

/** Whether what follows from the turns that run is dropped, before the next one starts. */
function dropsLater(events: readonly RecordedEvent[], index: number): boolean {
  for (let at = index + 1; at < events.length && events[at]?.type !== 'turn-start'; at += 1)
    if (isDropOf(events[at], events[at - 1])) return true;
  return false;
}
