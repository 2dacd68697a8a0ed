import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import { asksTeam, type ConversationMessage } from '../models/ConversationMessage.js';
import type { MemberId } from '../models/ids.js';
import { type Agenda, applyToAgenda, EMPTY_AGENDA } from './Agenda.js';
import {
  countAnswer,
  countCheck,
  countHuman,
  countTurnStart,
  countUsage,
  type LimitCounters,
  NO_COUNTS,
  restartCounter,
} from './limitCounters.js';
import { findRecentTurn, indexFact, type RecentTurns } from './turnIndex.js';
import { addToUsage, NO_USAGE, type Usage } from './usage.js';

/** Everything about a conversation that is not in its messages: folded from the facts, never changed otherwise. */
export interface ConversationState extends Agenda, Counts {
  readonly turns: RecentTurns;
}

/** Counters, usage, and who spoke last. */
interface Counts {
  readonly counters: LimitCounters;
  readonly usage: Usage;
  readonly lastHuman: MemberId | null;
  readonly lastAgent: MemberId | null;
  readonly turnCount: number;
}

export const INITIAL_STATE: ConversationState = {
  ...EMPTY_AGENDA,
  turns: [],
  counters: NO_COUNTS,
  usage: NO_USAGE,
  lastHuman: null,
  lastAgent: null,
  turnCount: 0,
};

/** The state after one more fact. */
export function applyFact(state: ConversationState, fact: ConversationFact): ConversationState {
  const turns = indexFact(state.turns, fact);
  return applyToAgenda({ ...state, turns, ...countsAfter(state, fact) }, fact);
}

function countsAfter(state: ConversationState, fact: ConversationFact): Partial<Counts> {
  const { counters, turnCount, pause } = state;
  switch (fact.type) {
    case 'message-added':
      return findRecentTurn(state.turns, fact.turnId)?.checks === undefined
        ? countMessage(state, fact.message)
        : {};
    case 'turns-queued':
      return { turnCount: turnCount + fact.turns.length };
    case 'turn-start':
      if (fact.checks !== undefined) return {};
      return { counters: countTurnStart(counters, fact.memberId), lastAgent: fact.memberId };
    case 'turn-end': {
      const { turnId, memberId, usage } = fact;
      const counted = countChecked(state, fact);
      if (usage === undefined) return { counters: counted };
      return {
        counters: countUsage(counted, usage),
        usage: addToUsage(state.usage, { turnId, memberId, usage }),
      };
    }
    case 'conversation-resume':
      if (!fact.pastLimit || pause?.kind !== 'limit') return {};
      return { counters: restartCounter(counters, pause.limit) };
    case 'conversation-start':
    case 'conversation-forked':
    case 'task-changed':
    case 'title-changed':
    case 'profile-changed':
    case 'turns-dropped':
    case 'turn-activity':
    case 'permission-decided':
    case 'files-recorded':
    case 'waiting-for-human':
    case 'conversation-pause':
    case 'notice':
      return {};
  }
}

/** Counts the end of a turn if it was a check that ran. */
function countChecked({ counters, turns }: ConversationState, end: TurnEnd): LimitCounters {
  const { checks } = findRecentTurn(turns, end.turnId) ?? {};
  if (checks === undefined || end.result.kind !== 'completed') return counters;
  const author = findRecentTurn(turns, checks)?.memberId ?? '';
  return countCheck(counters, { check: end.memberId, author, hasPassed: end.exitCode === 0 });
}

/** A program that asks starts the counts of loops anew only where no person has spoken. */
function countMessage({ counters, lastHuman }: Counts, message: ConversationMessage): Partial<Counts> {
  const { speaker, content } = message;
  if (speaker.type === 'ai') return { counters: countAnswer(counters, content.trim()) };
  if (speaker.type === 'system')
    return asksTeam(message) && lastHuman === null ? { counters: countHuman(counters) } : {};
  // roleId of a member's message is the member's id.
  return { counters: countHuman(counters), lastHuman: speaker.roleId as MemberId };
}
