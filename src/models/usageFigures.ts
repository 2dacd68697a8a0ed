/** The most that is believed of one figure: far above what a turn can use, and small enough that no sum overflows. */
export const MOST_TOKENS = 1e12;
export const MOST_USD = 1e6;

/** Usage of nothing, to count from. */
export const NO_TOKENS = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 } as const;

/** Whether a value can be a number of tokens. */
export function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && isWithin(value as number, MOST_TOKENS);
}

/** Whether a value can be an amount of money. */
export function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && isWithin(value as number, MOST_USD);
}

/** Reads a stored number of tokens for a sum: a log of another version may hold anything. */
export function tokensIn(value: unknown): number {
  return isTokenCount(value) ? value : 0;
}

/** Reads a stored amount for a sum. */
export function amountIn(value: unknown): number {
  return isAmount(value) ? value : 0;
}

function isWithin(value: number, most: number): boolean {
  return value >= 0 && value <= most && !Object.is(value, -0);
}
