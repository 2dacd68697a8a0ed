import type { TurnUsage } from '../models/AgentEvent.js';
import type { LimitName } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import { amountIn, tokensIn } from '../models/usageFigures.js';

/** Counters of the limits. Folded from the log, so a restart changes nothing; counting takes the same time at any length. */
export interface LimitCounters {
  /** Agents' turns since a person last spoke. */
  readonly turns: TurnCounts;
  /** Replies since a person last spoke. */
  readonly answers: AnswerCounts;
  /** Failed checks in a row since a person last spoke, by check and author. */
  readonly failedChecks: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly usd: number;
}

interface AnswerCounts {
  /** Number of different answers. */
  readonly different: number;
  /** Times that the most frequent answer was given. */
  readonly most: number;
  /** Each answer by its hash, in groups: one more copies its group only, however many there are. */
  readonly groups: ReadonlyArray<readonly CountedAnswer[]>;
}

interface CountedAnswer {
  readonly hash: number;
  readonly times: number;
}

interface TurnCounts {
  readonly count: number;
  /** Length of the latest run in which the same two agents alternate: a b a b → 4, a b c b → 3. */
  readonly ofPair: number;
  /** Speakers of the last turn and of the one before. */
  readonly latest: readonly MemberId[];
}

const ANSWER_GROUPS = 256;

export const NO_COUNTS: LimitCounters = {
  turns: { count: 0, ofPair: 0, latest: [] },
  answers: { different: 0, most: 0, groups: new Array(ANSWER_GROUPS).fill([]) },
  failedChecks: {},
  tokens: 0,
  usd: 0,
};

/** Counts a message of a person: the counts of loops restart at 0, those of money do not. */
export function countHuman(counters: LimitCounters): LimitCounters {
  const { turns, answers, failedChecks } = NO_COUNTS;
  return { ...counters, turns, answers, failedChecks };
}

export function countTurnStart(counters: LimitCounters, speaker: MemberId): LimitCounters {
  const { count, latest } = counters.turns;
  const turns = {
    count: count + 1,
    ofPair: countPair(counters.turns, speaker),
    latest: [speaker, ...latest.slice(0, 1)],
  };
  return { ...counters, turns };
}

function countPair({ ofPair, latest: [last, other] }: TurnCounts, speaker: MemberId): number {
  if (last === undefined || speaker === last) return 0;
  return speaker === other ? ofPair + 1 : 2;
}

export function countAnswer(counters: LimitCounters, answer: string): LimitCounters {
  const { different, most, groups } = counters.answers;
  const hash = hashAnswer(answer);
  const place = hash % ANSWER_GROUPS;
  const group = groups[place] ?? [];
  const known = group.findIndex((counted) => counted.hash === hash);
  const counted = { hash, times: (group[known]?.times ?? 0) + 1 };
  const answers = {
    different: known < 0 ? different + 1 : different,
    most: Math.max(most, counted.times),
    groups: groups.with(place, known < 0 ? [...group, counted] : group.with(known, counted)),
  };
  return { ...counters, answers };
}

/** A whole number below 2^53: two answers have the same one by accident, once in thousands of millions of millions. */
function hashAnswer(answer: string): number {
  let [lower, upper] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < answer.length; index++) {
    const unit = answer.charCodeAt(index);
    lower = Math.imul(lower ^ unit, PRIMES[0]);
    upper = Math.imul(upper ^ unit, PRIMES[1]);
  }
  lower = Math.imul(lower ^ (lower >>> 16), PRIMES[2]) ^ Math.imul(upper ^ (upper >>> 13), PRIMES[3]);
  upper = Math.imul(upper ^ (upper >>> 16), PRIMES[2]) ^ Math.imul(lower ^ (lower >>> 13), PRIMES[3]);
  return (upper >>> 11) * 2 ** 32 + (lower >>> 0);
}

/** Multipliers of the two halves; large, odd, and without a pattern in their bits. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** Counts the result of a check: each check and author by themselves, or one that passes would hide another that never does. */
export function countCheck(
  counters: LimitCounters,
  {
    check,
    author,
    hasPassed,
  }: { readonly check: MemberId; readonly author: string; readonly hasPassed: boolean },
): LimitCounters {
  const key = `${check} ${author}`;
  const { [key]: before = 0, ...others } = counters.failedChecks;
  return { ...counters, failedChecks: hasPassed ? others : { ...others, [key]: before + 1 } };
}

/** The most failures in a row of any check. */
export function mostFailedChecks({ failedChecks }: LimitCounters): number {
  return Math.max(0, ...Object.values(failedChecks));
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
  agentTurns: 'turns',
  pairTurns: 'turns',
  sameAnswer: 'answers',
  checkRounds: 'failedChecks',
  tokens: 'tokens',
  usd: 'usd',
};

/** Ten times 0.1 must reach a limit of 1: sums are kept to a billionth of a dollar. */
function roundMoney(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
