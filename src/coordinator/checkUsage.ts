import type { TurnUsage, UsageEvent } from '../models/AgentEvent.js';
import { isAmount, isTokenCount, NO_TOKENS } from '../models/usageFigures.js';

/** The part of an agent's reported usage that counts. */
export interface CheckedUsage {
  readonly usage?: TurnUsage;
  readonly sessionTotals?: TurnUsage;
  /** Some of it cannot be true. */
  readonly isDoubtful?: true;
}

/** Keeps the figures that can be true: tokens, money, both or nothing. */
export function checkUsage({ usage, sessionTotals }: UsageEvent): CheckedUsage {
  const { usd, ...tokens } = usage;
  const hasTokens = areTokens(tokens);
  const hasMoney = isAmount(usd);
  const isTrue = hasTokens && (hasMoney || usd === undefined);
  return {
    ...((hasTokens || hasMoney) && {
      usage: { ...(hasTokens ? limitCached(tokens) : NO_TOKENS), ...(hasMoney && { usd }) },
      ...(isWhole(sessionTotals) && { sessionTotals }),
    }),
    ...(!isTrue && { isDoubtful: true }),
  };
}

function areTokens({ inputTokens, cachedInputTokens, outputTokens }: TurnUsage): boolean {
  return [inputTokens, cachedInputTokens, outputTokens].every(isTokenCount);
}

/** The totals of a session are compared with the next ones, so they are taken whole or not at all. */
function isWhole(totals: TurnUsage | undefined): boolean {
  return totals !== undefined && areTokens(totals) && (totals.usd === undefined || isAmount(totals.usd));
}

/** A part is never more than the whole, or a price by the token would be less than nothing. */
function limitCached(tokens: TurnUsage): TurnUsage {
  return { ...tokens, cachedInputTokens: Math.min(tokens.cachedInputTokens, tokens.inputTokens) };
}
