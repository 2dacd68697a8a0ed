import { questionOfRequest } from '../agents/cassette/PlayedTurn.js';
import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import { nextTurns } from '../conversation/TurnQueue.js';
import type { Conversation } from '../coordinator/Conversation.js';
import type { PermissionDecided, RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { findOpening, type Opening } from './openings.js';

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { type: Type }>;

/** Something that has to happen for a fact of a recording, since it does not follow from the facts before it. */
export type PlayStep = Need & {
  /** Number of its place in the recording. */
  readonly index: number;
  /** Nothing ran or waited then. */
  readonly isAtRest: boolean;
};

type Need =
  /** Everything that ran is gone, and the conversation is opened. */
  | { readonly kind: 'open'; readonly opening: Opening }
  /** Done by a person. `drops`: of what runs, nothing may follow. */
  | { readonly kind: 'act'; readonly act: Act; readonly drops?: boolean }
  /** Found by Huddle outside of the conversation: it is recorded as it is. */
  | { readonly kind: 'given'; readonly event: RecordedEvent }
  /** The changes of turns; what follows from them is worked out anew. */
  | { readonly kind: 'files'; readonly event: EventOf<'files-recorded'> }
  | { readonly kind: 'say'; readonly event: EventOf<'turn-activity'> }
  | {
      readonly kind: 'ask';
      readonly turnId: TurnId;
      readonly question: NonNullable<ReturnType<typeof questionOfRequest>>;
      /** It was shown to people. */
      readonly isOpen: boolean;
      readonly decided: PermissionDecided | undefined;
    }
  | { readonly kind: 'withdraw'; readonly event: PermissionDecided }
  /** Turns of a blind round end together: with the first of them, these. */
  | { readonly kind: 'end'; readonly event: EventOf<'turn-end'>; readonly together: readonly TurnId[] }
  | {
      /**
       * The conversation records it by itself when its place is reached: the start of a turn, the end of one that never
       * started because it was stopped or its prompt does not fit, or a limit.
       */
      readonly kind: 'own';
      readonly event: EventOf<'turn-start' | 'turn-end' | 'conversation-pause'>;
      /** The turn was chosen before acts of people that stand before it. */
      readonly isEarly: boolean;
    };

/** Does again what a person did. It is recorded at once; resolves when the conversation says so. */
export type Act = (conversation: Conversation) => Promise<unknown>;

/** Finds, in the order of a recording, all that has to happen for it to come about again. What follows by itself is no step. */
export function planSteps(events: readonly RecordedEvent[]): PlayStep[] {
  const plan = new Planner(events);
  for (let index = 0; index < events.length; ) index = plan.take(index);
  return plan.steps;
}

class Planner {
  readonly steps: PlayStep[] = [];
  readonly #events: readonly RecordedEvent[];
  readonly #decisions = new Map<string, PermissionDecided>();
  /** Requests that cannot be asked again. */
  readonly #unknown = new Set<string>();
  #agenda: Agenda = EMPTY_AGENDA;
  /** A stop has dropped all that would follow from the turns that run. */
  #isDropping = false;

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events;
    for (const event of events)
      if (event.type === 'permission-decided') this.#decisions.set(event.requestId, event);
  }

  /** Takes the fact at a place, or all of an opening. Returns the next place. */
  take(index: number): number {
    const opening = findOpening(this.#events, index);
    const need = opening
      ? ({ kind: 'open', opening } as const)
      : this.#needOf(this.#events[index] as RecordedEvent, index);
    const place = { index, isAtRest: this.#agenda.running.length + this.#agenda.queue.length === 0 };
    if (this.#hasUnsaidStop(index)) this.steps.push({ ...STOP_AND_DROP, ...place });
    if (need !== undefined) this.steps.push({ ...need, ...place });
    if (need?.kind === 'own' && need.event.type === 'turn-start') this.#isDropping = false;
    if (need?.kind === 'act' && need.drops) this.#isDropping = true;
    const next = opening?.next ?? index + 1;
    for (const event of this.#events.slice(index, next)) this.#agenda = applyToAgenda(this.#agenda, event);
    return next;
  }

  #needOf(event: RecordedEvent, index: number): Need | undefined {
    const before = this.#events[index - 1];
    switch (event.type) {
      case 'turn-start':
        return { kind: 'own', event, isEarly: !this.#isNext(event.turnId) };
      case 'turn-activity':
        return this.#needOfActivity(event);
      case 'permission-decided':
        if (this.#unknown.has(event.requestId)) return { kind: 'given', event };
        if (event.by.kind === 'person') return { kind: 'act', act: decide(event) };
        return event.decision === 'cancelled' ? { kind: 'withdraw', event } : undefined;
      case 'turn-end':
        return this.#needOfEnd(event);
      case 'files-recorded':
        return { kind: event.by.kind === 'turns' ? 'files' : 'given', event };
      case 'notice':
        if (!FOUND_OUTSIDE.includes(event.code) || isResend(event, this.#events[index + 1])) return undefined;
        return { kind: 'given', event };
      case 'conversation-pause':
        return this.#needOfPause(event, index);
      case 'turns-dropped':
        return this.#isFollowing(event, index) ? undefined : STOP_AND_DROP;
      case 'message-added':
        return event.turnId === undefined ? { kind: 'act', act: say(event) } : undefined;
      case 'title-changed':
        return { kind: 'act', act: (conversation) => conversation.rename(event.title ?? '') };
      case 'turns-queued':
        return isRetry(event, before)
          ? { kind: 'act', act: (conversation) => conversation.retry() }
          : undefined;
      case 'conversation-resume':
        return this.#isOwnResume(event, index)
          ? { kind: 'act', act: (conversation) => conversation.resume() }
          : undefined;
      default:
        return undefined;
    }
  }

  #needOfPause(event: EventOf<'conversation-pause'>, index: number): Need | undefined {
    switch (event.reason.kind) {
      case 'limit':
        return { kind: 'own', event, isEarly: false };
      case 'asked':
        return { kind: 'act', act: (conversation) => conversation.pause() };
      case 'cancelled': {
        // A stop that drops what waits drops it at once, and later what would have followed from the turns that run.
        const isFree = this.#agenda.queue.length === 0;
        const drops =
          this.#events[index + 1]?.type === 'turns-dropped' || (isFree && dropsLater(this.#events, index));
        return drops ? STOP_AND_DROP : { kind: 'act', act: (conversation) => conversation.cancel() };
      }
      default:
        return undefined;
    }
  }

  /** Whether turns were dropped for others in their place, or because of a stop. */
  #isFollowing(event: EventOf<'turns-dropped'>, index: number): boolean {
    const [before, next] = [this.#events[index - 1], this.#events[index + 1]];
    if (next?.type === 'turns-queued') return true;
    if (before?.type === 'conversation-pause' && before.reason.kind === 'cancelled') return true;
    return this.#isDropping && isDropOf(event, before);
  }

  /** A stop of what was paused already, and had nothing waiting, is no fact; what it did is seen at the end of the turn. */
  #hasUnsaidStop(index: number): boolean {
    const { pause, queue, running } = this.#agenda;
    if (this.#isDropping || pause === null || running.length === 0 || queue.length > 0) return false;
    this.#isDropping = dropsLater(this.#events, index);
    return this.#isDropping;
  }

  /** Whether a person continued: a message and a retry end a pause themselves, unless the message only set the task. */
  #isOwnResume({ pastLimit }: EventOf<'conversation-resume'>, index: number): boolean {
    const next = this.#events[index + 1];
    if (pastLimit || next === undefined || this.#hasChosenBefore(index)) return true;
    const isEndOfPause = isRetry(next) || (next.type === 'message-added' && next.turnId === undefined);
    return !isEndOfPause || isAside(this.#events, index + 1);
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

  #needOfActivity(event: EventOf<'turn-activity'>): Need {
    const { turnId, event: activity } = event;
    if (activity.type !== 'permission-request') return { kind: 'say', event };
    const { requestId, isOpen = false } = activity;
    const decided = this.#decisions.get(requestId);
    const question = questionOfRequest(activity, decided);
    if (question !== undefined) return { kind: 'ask', turnId, question, isOpen, decided };
    this.#unknown.add(requestId);
    return { kind: 'given', event };
  }

  #needOfEnd(event: EventOf<'turn-end'>): Need {
    const { running, queue } = this.#agenda;
    const { turnId } = event;
    const turn = [...running, ...queue].find((one) => one.turnId === turnId);
    const round = turn?.blindRound;
    const together = running.filter(
      (one) => one.turnId === turnId || (round !== undefined && one.blindRound === round),
    );
    if (together.length === 0) return { kind: 'own', event, isEarly: event.result.kind === 'cancelled' };
    return { kind: 'end', event, together: together.map((one) => one.turnId) };
  }
}

const STOP_AND_DROP: Need = {
  kind: 'act',
  act: (conversation) => conversation.cancel({ drop: true }),
  drops: true,
};

function say({ message }: EventOf<'message-added'>): Act {
  const { content, speaker, via } = message;
  return (conversation) =>
    conversation.send(content, { as: nameOfPerson(conversation, speaker.roleId), via });
}

export function decide({ requestId, decision, by }: PermissionDecided): Act {
  return (conversation) =>
    conversation.answerPermission(requestId, decision === 'allowed' ? 'allow' : 'deny', {
      as: by.kind === 'person' ? nameOfPerson(conversation, by.memberId) : undefined,
    });
}

/** A person that is not in the team any more is played by the first one. */
function nameOfPerson({ team }: Conversation, id: string): string | undefined {
  return team.members.find((member) => member.type === 'human' && member.id === id)?.name;
}

/** Notices of what Huddle found outside of the conversation. */
const FOUND_OUTSIDE: readonly string[] = [
  'session-not-forked',
  'files-not-recorded',
  'file-collision',
  'folder-shared',
  'copy-behind',
];

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
