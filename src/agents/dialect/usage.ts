import type { SessionTotals, TurnUsage } from '../../models/AgentEvent.js';
import { isAmount, isTokenCount, NO_TOKENS } from '../../models/usageFigures.js';
import { fieldOf } from './records.js';

/**
 * A reported number of tokens: 0 if it is absent, NaN if it cannot be true. NaN passes through every sum it goes into, so
 * that nothing that was worked out from it counts; see `checkUsage`.
 */
export function tokensOf(report: unknown, key: string): number {
  const figure = fieldOf(report, key) ?? 0;
  return isTokenCount(figure) ? figure : Number.NaN;
}

/** A reported amount of money: absent, or as above. */
export function amountOf(report: unknown, key: string): number | undefined {
  const figure = fieldOf(report, key) ?? undefined;
  return figure === undefined || isAmount(figure) ? figure : Number.NaN;
}

/** A usage without money, figure by figure. */
export function eachToken(count: (kind: Exclude<keyof TurnUsage, 'usd'>) => number): TurnUsage {
  return {
    inputTokens: count('inputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    outputTokens: count('outputTokens'),
  };
}

/** The tokens of two requests together. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return eachToken((kind) => one[kind] + other[kind]);
}

/** Cumulative counts to compare the next ones with: of each the last one that could be true. */
export function believedTotals(totals: SessionTotals, before: SessionTotals = NO_TOKENS): SessionTotals {
  return eachToken((kind) => (Number.isNaN(totals[kind]) ? before[kind] : totals[kind]));
}

/** The totals of a session after one more turn, for agents that count over the whole session nothing but money. */
export function addToTotals(
  before: SessionTotals | undefined,
  usage: TurnUsage,
  totalUsd: number,
): SessionTotals {
  const totals = addUsage(before ?? NO_TOKENS, usage);
  return { ...believedTotals(totals, before), usd: Number.isNaN(totalUsd) ? before?.usd : totalUsd };
}

/** The part of a cumulative figure that is new. A count that went back has started again from nothing. */
export function sinceTotals(total: number, before: number | undefined): number {
  if (before === undefined || total < before) return total;
  // Money comes as decimal fractions; a difference must not show the binary ones.
  return Number((total - before).toFixed(9));
}
