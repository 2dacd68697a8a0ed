/** Replacement for a value that is not a number: logs of other versions may hold anything. */
const UNKNOWN = '?';

/** A number for people, with at most so many digits behind the point: `786,432`. Takes any value. */
export function formatNumber(value: number, fractionDigits = 3): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  // The tables of languages take as long to load as a fifth of Node, and the first screen has no longer number.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  return formatOf(fractionDigits).format(value);
}

const formats = new Map<number, Intl.NumberFormat>();

/** Made once each: making one takes longer than a thousand numbers. */
function formatOf(maximumFractionDigits: number): Intl.NumberFormat {
  const format = formats.get(maximumFractionDigits) ?? new Intl.NumberFormat('en', { maximumFractionDigits });
  formats.set(maximumFractionDigits, format);
  return format;
}

/** A number with exactly so many digits behind the point: `0.40`. Takes any value. */
export function formatFixed(value: number, fractionDigits: number): string {
  return Number.isFinite(value) ? value.toFixed(fractionDigits) : UNKNOWN;
}
