import type { TurnUsage } from '../models/AgentEvent.js';
import type { RecordedUsage } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import type { ModelPrice } from '../models/Team.js';

/** What one turn took. */
export interface LedgerEntry {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly usage: RecordedUsage;
}

const PER_TOKENS = 1_000_000;

/** Says what a turn cost: as the agent reported it, by the team's prices, or that nobody knows. */
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
  return { ...usage, usd, price: 'estimated' };
}
