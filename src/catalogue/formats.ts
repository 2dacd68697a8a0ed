import type { RecordedUsage } from '../models/ConversationEvent.js';
import { formatFixed, formatNumber } from '../utils/formatNumber.js';
import { words } from './words.js';

const { units, money, usage: countTokens, estimated, unpriced } = words.telling;

/** `0.4 s`, `12 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatDuration(milliseconds: number): string {
  if (!(milliseconds >= 9950)) return `${shorten(milliseconds / 1000)} ${units.seconds}`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} ${units.seconds}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${units.minutes} ${pad(seconds % 60)} ${units.seconds}`;
  return `${Math.floor(minutes / 60)} ${units.hours} ${pad(minutes % 60)} ${units.minutes}`;
}

/** A duration in whole seconds, as a clock counts them. */
export function formatSeconds(milliseconds: number): string {
  return formatDuration(Math.max(0, Math.floor(milliseconds / 1000)) * 1000);
}

/** `950`, `3.2k`, `1.4M`. */
export function formatCount(count: number): string {
  if (!(count >= 1000)) return formatNumber(count);
  return count < 999_950
    ? `${shorten(count / 1000)}${units.thousands}`
    : `${shorten(count / 1_000_000)}${units.millions}`;
}

/** `$0.42`; more than two digits only where there would be nothing but zeros. */
export function formatMoney(usd: number): string {
  return money(formatFixed(usd, usd > 0 && usd < 0.01 ? 4 : 2));
}

/** `2026-11-15 02:12:09 UTC`. */
export function formatTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `1,200 tokens in, 300 out, $0.42 (estimated)`. */
export function formatUsage({ inputTokens, outputTokens, usd, price }: RecordedUsage): string {
  const cost = usd === undefined ? unpriced : formatMoney(usd);
  return `${countTokens(inputTokens, outputTokens)}, ${price === 'estimated' ? estimated(cost) : cost}`;
}

/** The cost of several turns, and the number of them by the source of their price. */
export interface Sum {
  readonly turns: number;
  readonly usd: number;
  readonly prices: Readonly<Record<RecordedUsage['price'], number>>;
}

/** A sum of nothing but unknown prices is not zero. */
export function formatSum({ usd, prices, turns }: Sum): string {
  return prices.unknown === turns ? '' : formatMoney(usd);
}

/** The sources of the prices in a sum: `1 reported, 2 unknown`. */
export function describePrices({ prices }: Sum): string {
  const names = words.cost.prices;
  return (['reported', 'estimated', 'unknown'] as const)
    .filter((price) => prices[price] > 0)
    .map((price) => `${prices[price]} ${names[price]}`)
    .join(', ');
}

function shorten(value: number): string {
  return formatFixed(value, 1).replace(/\.0$/, '');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
