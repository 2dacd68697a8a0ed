import type { TurnUsage } from '../models/AgentEvent.js';
import type { LimitName } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import { amountIn, tokensIn } from '../models/usageFigures.js';

/** Counters of the limits. Folded from the log, so a restart changes nothing. */
export interface LimitCounters {
  /** Agents' turns since a person last spoke, in order. */
  readonly speakers: readonly MemberId[];
  /** Number of times each reply was given since a person last spoke. */
  readonly answers: ReadonlyMap<string, number>;
  readonly tokens: number;
  readonly usd: number;
}

export const NO_COUNTS: LimitCounters = { speakers: [], answers: new Map(), tokens: 0, usd: 0 };

/** Counts a message of a person: the counts of loops restart at 0, those of money do not. */
export function countHuman(counters: LimitCounters): LimitCounters {
  return { ...counters, speakers: [], answers: new Map() };
}

export function countTurnStart(counters: LimitCounters, speaker: MemberId): LimitCounters {
  return { ...counters, speakers: [...counters.speakers, speaker] };
}

export function countAnswer(counters: LimitCounters, answer: string): LimitCounters {
  const answers = new Map(counters.answers);
  answers.set(answer, (answers.get(answer) ?? 0) + 1);
  return { ...counters, answers };
}

export function countUsage(counters: LimitCounters, usage: TurnUsage): LimitCounters {
  return {
    ...counters,
    tokens: counters.tokens + tokensIn(usage.inputTokens) + tokensIn(usage.outputTokens),
    usd: roundMoney(counters.usd + amountIn(usage.usd)),
  };
}

/** Restarts the counter of the limit that a person chose to exceed. */
export function restartCounter(counters: LimitCounters, limit: LimitName): LimitCounters {
  const field = COUNTER_OF[limit];
  return { ...counters, [field]: NO_COUNTS[field] };
}

const COUNTER_OF: Readonly<Record<LimitName, keyof LimitCounters>> = {
  agentTurns: 'speakers',
  pairTurns: 'speakers',
  sameAnswer: 'answers',
  tokens: 'tokens',
  usd: 'usd',
};

/** Ten times 0.1 must reach a limit of 1: sums are kept to a billionth of a dollar. */
function roundMoney(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
