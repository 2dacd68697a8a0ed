import type { SessionTotals, TurnUsage } from '../../models/AgentEvent.js';
import { isAmount, isTokenCount } from '../../models/usageFigures.js';
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

/** What two requests used together. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** A cumulative figure to compare the next one with: the last one that could be true. */
export function believedTotal<Before extends number | undefined>(
  total: number,
  before: Before,
): number | Before {
  return Number.isNaN(total) ? before : total;
}

/** The totals of a session after one more turn, for agents that count over the whole session nothing but money. */
export function addToTotals(
  before: SessionTotals | undefined,
  usage: TurnUsage,
  totalUsd: number,
): SessionTotals {
  const start = before ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  const sum = addUsage(start, usage);
  return {
    inputTokens: believedTotal(sum.inputTokens, start.inputTokens),
    cachedInputTokens: believedTotal(sum.cachedInputTokens, start.cachedInputTokens),
    outputTokens: believedTotal(sum.outputTokens, start.outputTokens),
    usd: believedTotal(totalUsd, before?.usd),
  };
}

/** The part of a cumulative figure that is new. A count that went back has started again from nothing. */
export function sinceTotals(total: number, before: number | undefined): number {
  if (before === undefined || total < before) return total;
  // Money comes as decimal fractions; a difference must not show the binary ones.
  return Number((total - before).toFixed(9));
}
