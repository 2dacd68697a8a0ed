/** What stands for a number that is none: logs of other versions may hold anything. */
const UNKNOWN = '?';

/** A number for people, with at most so many digits behind the point: `786,432`. Takes any value. */
export function formatNumber(value: number, fractionDigits = 3): string {
  return Number.isFinite(value)
    ? value.toLocaleString('en', { maximumFractionDigits: fractionDigits })
    : UNKNOWN;
}

/** A number with exactly so many digits behind the point: `0.40`. Takes any value. */
export function formatFixed(value: number, fractionDigits: number): string {
  return Number.isFinite(value) ? value.toFixed(fractionDigits) : UNKNOWN;
}
