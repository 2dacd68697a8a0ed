import type { ActivityEvent } from '../models/AgentEvent.js';
import { isSystemTextInPrompt } from '../models/AgentEvent.js';
import type {
  ConversationFact,
  PauseReason,
  QueuedTurn,
  RecordedEvent,
  TurnActivity,
  TurnEnd,
  TurnResult,
  TurnStart,
  WaitingForHuman,
} from '../models/ConversationEvent.js';
import { asksTeam } from '../models/ConversationMessage.js';
import type { TurnFailureCode } from '../models/TurnOutcome.js';
import { enqueue, remove, type TurnQueue } from './TurnQueue.js';

/** Queue, running and unfinished turns, pause and awaited people: plain data, folded from the facts. */
export interface Agenda {
  readonly queue: TurnQueue;
  readonly running: readonly OpenTurn[];
  /** Ended without an answer since a person last spoke, and not asked for again. */
  readonly unfinished: readonly UnfinishedTurn[];
  readonly pause: PauseReason | null;
  readonly awaited: AwaitedPeople | null;
  /** No agent was to answer what a person said last. */
  readonly isUnaddressed: boolean;
  /** Some turn was completed since a person last spoke. */
  readonly isAnswered: boolean;
}

/** A turn that runs, and what is known of the agent's own session by now; `at`, of one that was recorded, when it started. */
export type OpenTurn = TurnStart &
  Pick<TurnEnd, 'sessionId' | 'sessionHoldsPrompt'> &
  Partial<Pick<RecordedEvent, 'at'>> & {
    /** The agent takes no separate system prompt, so it was told in the prompt. */
    readonly hasSystemInPrompt?: true;
    /** The team task has changed since its prompt was made. */
    readonly hasOldTask?: true;
  };

/** A turn that ended without an answer, and why. */
export interface UnfinishedTurn {
  readonly turn: QueuedTurn;
  readonly kind: Exclude<TurnResult['kind'], 'completed'>;
  /** Failure code of a turn that failed. */
  readonly code?: TurnFailureCode;
}

/** The people whose turn it is. */
type AwaitedPeople = Pick<WaitingForHuman, 'memberIds' | 'named'>;

export const EMPTY_AGENDA: Agenda = {
  queue: [],
  running: [],
  unfinished: [],
  pause: null,
  awaited: null,
  isUnaddressed: false,
  isAnswered: false,
};

/** The agenda after one more fact; whatever else is kept with it stays. */
export function applyToAgenda<Kept extends Agenda>(agenda: Kept, fact: ConversationFact): Kept {
  return { ...agenda, ...changesBy(agenda, fact) };
}

function changesBy(agenda: Agenda, fact: ConversationFact): Partial<Agenda> {
  const { queue, running, unfinished, awaited } = agenda;
  switch (fact.type) {
    case 'message-added':
      return asksTeam(fact.message) ? AFTER_A_QUESTION : {};
    case 'turns-queued':
      return {
        queue: enqueue(queue, fact.turns, fact.place),
        unfinished: unfinished.filter(({ turn }) => !isRetried(turn, fact.turns)),
        isUnaddressed: false,
      };
    case 'turns-dropped':
      return {
        queue: remove(queue, fact.turnIds),
        unfinished: unfinished.filter(({ turn }) => !fact.turnIds.includes(turn.turnId)),
      };
    case 'turn-start':
      return { queue: remove(queue, [fact.turnId]), running: [...running, fact], isUnaddressed: false };
    case 'turn-activity':
      return { running: noteActivity(running, fact) };
    case 'task-changed':
      return { running: running.map((turn) => ({ ...turn, hasOldTask: true })) };
    case 'turn-end':
      return endTurn(agenda, fact);
    case 'waiting-for-human':
      return { awaited: joinAwaited(awaited, fact) };
    case 'conversation-pause':
      return { pause: fact.reason };
    case 'conversation-resume':
      return { pause: null };
    case 'conversation-start':
    case 'conversation-forked':
    case 'title-changed':
    case 'profile-changed':
    case 'permission-decided':
    case 'files-recorded':
    case 'notice':
      return {};
  }
}

const AFTER_A_QUESTION: Partial<Agenda> = {
  unfinished: [],
  awaited: null,
  isUnaddressed: true,
  isAnswered: false,
};

function isRetried({ turnId }: QueuedTurn, queued: readonly QueuedTurn[]): boolean {
  return queued.some(({ retryOf }) => retryOf === turnId);
}

/** Records what is reported of an agent's session, even if the end of its turn is never recorded. */
function noteActivity(running: Agenda['running'], { turnId, event }: TurnActivity): Agenda['running'] {
  return running.map((turn) => (turn.turnId === turnId ? { ...turn, ...knownBy(event, turn) } : turn));
}

function knownBy(event: ActivityEvent, turn: OpenTurn): Partial<OpenTurn> {
  if (isSystemTextInPrompt(event)) return { hasSystemInPrompt: true };
  if (event.type !== 'session') return {};
  const { sessionId, holdsPrompt = turn.sessionHoldsPrompt } = event;
  return { sessionId, sessionHoldsPrompt: holdsPrompt };
}

/** A turn that could not be started ends in the queue. */
function endTurn({ queue, running, unfinished }: Agenda, { turnId, result }: TurnEnd): Partial<Agenda> {
  const turn = [...running, ...queue].find((open) => open.turnId === turnId);
  const rest = { queue: remove(queue, [turnId]), running: running.filter((open) => open !== turn) };
  if (result.kind === 'completed') return { ...rest, isAnswered: true };
  if (turn === undefined) return rest;
  const code = result.kind === 'failed' ? result.failure.code : undefined;
  return { ...rest, unfinished: [...unfinished, { turn: toQueue(turn), kind: result.kind, code }] };
}

/** The turn as it can be queued again. */
function toQueue({ turnId, memberId, triggeredBy, about, blindRound, checks }: QueuedTurn): QueuedTurn {
  return { turnId, memberId, triggeredBy, about, blindRound, checks };
}

/** Ends a turn as interrupted: its real end is unknown, so it counts as not done. */
export function endInterrupted({ turnId, memberId, sessionId, sessionHoldsPrompt }: OpenTurn): TurnEnd {
  const result = { kind: 'interrupted', draft: '' } as const;
  return { type: 'turn-end', turnId, memberId, result, milliseconds: 0, sessionId, sessionHoldsPrompt };
}

/** Until a person speaks, all who were asked for by name stay awaited; those not named give way to them. */
function joinAwaited(before: AwaitedPeople | null, { memberIds, named }: AwaitedPeople): AwaitedPeople {
  if (before === null || (named && !before.named)) return { memberIds, named };
  if (before.named && !named) return before;
  return { memberIds: [...new Set([...before.memberIds, ...memberIds])], named };
}
