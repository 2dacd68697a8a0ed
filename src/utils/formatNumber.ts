/** Replacement for a value that is not a number: logs of other versions may hold anything. */
const UNKNOWN = '?';

/** A number for people, with at most so many digits behind the point: `786,432`. Takes any value. */
export function formatNumber(value: number, fractionDigits = 3): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  // The tables of languages take as long to load as a fifth of Node, and the first screen has no longer number.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  return value.toLocaleString('en', { maximumFractionDigits: fractionDigits });
}

/** A number with exactly so many digits behind the point: `0.40`. Takes any value. */
export function formatFixed(value: number, fractionDigits: number): string {
  return Number.isFinite(value) ? value.toFixed(fractionDigits) : UNKNOWN;
}
