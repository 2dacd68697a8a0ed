import type { ConversationFact, HumanAwaited, PauseReason } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { addToLedger, EMPTY_LEDGER, type Ledger } from './ledger.js';
import {
  countAnswer,
  countHuman,
  countTurnStart,
  countUsage,
  type LimitCounters,
  NO_COUNTS,
  restartCounter,
} from './limitCounters.js';
import { enqueue, remove, type TurnQueue } from './TurnQueue.js';

/** Where a conversation stands. */
export type Phase =
  /** Nothing to do. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly turnIds: readonly TurnId[] }
  /** For a person; `named`: because an agent asked for them. */
  | { readonly kind: 'waiting'; readonly memberIds: readonly MemberId[]; readonly named: boolean }
  | { readonly kind: 'paused'; readonly reason: PauseReason };

/** The people whose turn it is. */
type AwaitedPeople = Pick<HumanAwaited, 'memberIds' | 'named'>;

/** Everything about a conversation that is not in its messages: folded from the facts, never changed otherwise. */
export interface ConversationState {
  readonly queue: TurnQueue;
  readonly running: readonly TurnId[];
  readonly pause: PauseReason | null;
  readonly awaited: AwaitedPeople | null;
  readonly counters: LimitCounters;
  readonly ledger: Ledger;
  readonly lastHuman: MemberId | null;
  readonly lastAgent: MemberId | null;
  readonly turnCount: number;
}

export const INITIAL_STATE: ConversationState = {
  queue: [],
  running: [],
  pause: null,
  awaited: null,
  counters: NO_COUNTS,
  ledger: EMPTY_LEDGER,
  lastHuman: null,
  lastAgent: null,
  turnCount: 0,
};

/** The state after one more fact. */
export function applyFact(state: ConversationState, fact: ConversationFact): ConversationState {
  switch (fact.type) {
    case 'message-added':
      return applyMessage(state, fact);
    case 'turns-queued':
      return {
        ...state,
        queue: enqueue(state.queue, fact.turns, fact.place),
        turnCount: state.turnCount + fact.turns.length,
      };
    case 'turns-dropped':
      return { ...state, queue: remove(state.queue, fact.turnIds) };
    case 'turn-start':
      return {
        ...state,
        queue: remove(state.queue, [fact.turnId]),
        running: [...state.running, fact.turnId],
        counters: countTurnStart(state.counters, fact.memberId),
        lastAgent: fact.memberId,
      };
    case 'turn-end':
      return applyTurnEnd(state, fact);
    case 'human-awaited':
      return { ...state, awaited: joinAwaited(state.awaited, fact) };
    case 'conversation-pause':
      return { ...state, pause: fact.reason };
    case 'conversation-resume':
      return applyResume(state, fact);
    case 'conversation-start':
    case 'task-changed':
    case 'brief-changed':
    case 'turn-activity':
    case 'permission-decided':
    case 'notice':
      return state;
  }
}

function applyMessage(
  state: ConversationState,
  { message }: Extract<ConversationFact, { type: 'message-added' }>,
): ConversationState {
  switch (message.speaker.type) {
    case 'human':
      return {
        ...state,
        counters: countHuman(state.counters),
        awaited: null,
        // roleId of a member's message is the member's id.
        lastHuman: message.speaker.roleId as MemberId,
      };
    case 'ai':
      return { ...state, counters: countAnswer(state.counters, message.content.trim()) };
    case 'system':
      return state;
  }
}

function applyTurnEnd(
  state: ConversationState,
  { turnId, memberId, usage }: Extract<ConversationFact, { type: 'turn-end' }>,
): ConversationState {
  const ended = { ...state, running: state.running.filter((running) => running !== turnId) };
  if (usage === undefined) return ended;
  return {
    ...ended,
    counters: countUsage(state.counters, usage),
    ledger: addToLedger(state.ledger, { turnId, memberId, usage }),
  };
}

/** Until a person speaks, everybody who was asked for by name stays so; whom nobody named gives way to them. */
function joinAwaited(before: AwaitedPeople | null, { memberIds, named }: AwaitedPeople): AwaitedPeople {
  if (before === null || (named && !before.named)) return { memberIds, named };
  if (before.named && !named) return before;
  return { memberIds: [...new Set([...before.memberIds, ...memberIds])], named };
}

function applyResume(
  state: ConversationState,
  { pastLimit }: Extract<ConversationFact, { type: 'conversation-resume' }>,
): ConversationState {
  const { pause, counters } = state;
  const restarts = pastLimit && pause?.kind === 'limit';
  return { ...state, pause: null, counters: restarts ? restartCounter(counters, pause.limit) : counters };
}

/** The phase that a state amounts to. */
export function phaseOf(state: ConversationState): Phase {
  if (state.running.length > 0) return { kind: 'running', turnIds: state.running };
  if (state.pause !== null) return { kind: 'paused', reason: state.pause };
  if (state.awaited !== null && state.queue.length === 0) return { kind: 'waiting', ...state.awaited };
  return { kind: 'idle' };
}
