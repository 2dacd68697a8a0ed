import type { TurnUsage } from '../models/AgentEvent.js';
import type { ConversationFact, RecordedUsage } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import type { ModelPrice } from '../models/Team.js';
import { amountIn, MOST_USD, tokensIn } from '../models/usageFigures.js';
import type { AnyIterable } from '../utils/AnyIterable.js';

/** Usage of one turn. */
export interface TurnUsageEntry {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly usage: RecordedUsage;
  /** The turn belongs to the conversation that this one is a fork of, and was paid there. */
  readonly isInherited?: true;
}

/** Total of some turns. */
export interface Spending {
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars of the turns whose price is known. */
  readonly usd: number;
  /** Number of turns by the source of their price, and without one. */
  readonly prices: Readonly<Record<RecordedUsage['price'], number>>;
}

/** Whether some turns spent tokens at an unknown price. */
export function isUnpriced({ prices, inputTokens, outputTokens }: Spending): boolean {
  return prices.unknown > 0 && inputTokens + outputTokens > 0;
}

export interface MemberSpending extends Spending {
  readonly memberId: MemberId;
}

/** Usage of a conversation, in total and by member in the order of their first turns. */
export interface Usage {
  readonly total: Spending;
  readonly members: readonly MemberSpending[];
}

export const NOTHING_SPENT: Spending = {
  turns: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  usd: 0,
  prices: { reported: 0, estimated: 0, unknown: 0 },
};

export const NO_USAGE: Usage = { total: NOTHING_SPENT, members: [] };

const PER_TOKENS = 1_000_000;

/** Prices a turn: as the agent reported it, by the team's prices, or as unknown. */
export function priceUsage(
  usage: TurnUsage,
  model: string | undefined,
  prices: readonly ModelPrice[],
): RecordedUsage {
  if (usage.usd !== undefined) return { ...usage, price: 'reported' };
  const price = prices.find((candidate) => candidate.model === model);
  if (price === undefined) return { ...usage, price: 'unknown' };
  const fresh = usage.inputTokens - usage.cachedInputTokens;
  const usd =
    (fresh * price.input +
      usage.cachedInputTokens * (price.cachedInput ?? price.input) +
      usage.outputTokens * price.output) /
    PER_TOKENS;
  return { ...usage, usd: Math.min(usd, MOST_USD), price: 'estimated' };
}

export function addToUsage({ total, members }: Usage, { memberId, usage }: TurnUsageEntry): Usage {
  const known = members.find((member) => member.memberId === memberId);
  const added: MemberSpending = { memberId, ...addToSpending(known ?? NOTHING_SPENT, usage) };
  return {
    total: addToSpending(total, usage),
    members: known ? members.map((member) => (member === known ? added : member)) : [...members, added],
  };
}

/** Lists the usage of a log turn by turn. */
export async function listUsage(facts: AnyIterable<ConversationFact>): Promise<TurnUsageEntry[]> {
  const entries: TurnUsageEntry[] = [];
  for await (const fact of facts) {
    if (fact.type === 'conversation-forked')
      for (const [index, entry] of entries.entries()) entries[index] = { ...entry, isInherited: true };
    if (fact.type !== 'turn-end' || fact.usage === undefined) continue;
    entries.push({ turnId: fact.turnId, memberId: fact.memberId, usage: fact.usage });
  }
  return entries;
}

/** Usage of a fork: what its past took in the original, and what was spent since. Limits count both. */
export interface ForkUsage {
  readonly inherited: Spending;
  readonly here: Spending;
}

/** Tells what was inherited from what was spent here. Undefined: nothing was inherited. */
export function splitUsage(entries: readonly TurnUsageEntry[]): ForkUsage | undefined {
  const inherited = entries.filter(({ isInherited }) => isInherited);
  if (inherited.length === 0) return undefined;
  const here = entries.filter(({ isInherited }) => !isInherited);
  return { inherited: summarizeUsage(inherited).total, here: summarizeUsage(here).total };
}

/** Adds up usage, in total and by member. */
export function summarizeUsage(entries: readonly TurnUsageEntry[]): Usage {
  return entries.reduce(addToUsage, NO_USAGE);
}

/** The total with one more turn. */
export function addToSpending(spending: Spending, usage: RecordedUsage): Spending {
  const price = Object.hasOwn(spending.prices, usage.price) ? usage.price : 'unknown';
  return {
    turns: spending.turns + 1,
    inputTokens: spending.inputTokens + tokensIn(usage.inputTokens),
    cachedInputTokens: spending.cachedInputTokens + tokensIn(usage.cachedInputTokens),
    outputTokens: spending.outputTokens + tokensIn(usage.outputTokens),
    usd: spending.usd + amountIn(usage.usd),
    prices: { ...spending.prices, [price]: spending.prices[price] + 1 },
  };
}
