import { isUnpriced, summarizeUsage } from '../../conversation/usage.js';
import type { TurnEnd } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';

/** The usage of some turns together. */
export interface UsageTotals {
  readonly turns: number;
  readonly milliseconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  /** Some of `usd` is worked out from the prices of the team file. */
  readonly isEstimated: boolean;
  /** Members that spent tokens at an unknown price; `usd` is without them. */
  readonly unpriced: readonly MemberId[];
}

/** Turns that were interrupted are not counted: they are found when a conversation is opened again, and took nothing now. */
export function totalsOf(all: readonly TurnEnd[]): UsageTotals {
  const ends = all.filter(({ result }) => result.kind !== 'interrupted');
  const used = ends.flatMap(({ turnId, memberId, usage }) => (usage ? [{ turnId, memberId, usage }] : []));
  const { total, members } = summarizeUsage(used);
  return {
    turns: ends.length,
    milliseconds: ends.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    inputTokens: total.inputTokens,
    outputTokens: total.outputTokens,
    usd: total.usd,
    isEstimated: total.prices.estimated > 0,
    unpriced: members.filter(isUnpriced).map(({ memberId }) => memberId),
  };
}
