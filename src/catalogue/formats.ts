import type { RecordedUsage } from '../models/ConversationEvent.js';
import { formatFixed, formatNumber } from '../utils/formatNumber.js';
import { words as spoken, type WordsOf } from './words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Times that are nearer than this are told by their distance. */
const RECENT = 12 * HOUR;

/** `0.4 s`, `12 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatDuration(
  milliseconds: number,
  { short = false } = {},
  words: WordsOf<'telling'> = spoken,
): string {
  const { durations } = words.telling;
  const say = short ? durations.short : durations;
  if (!(milliseconds >= 9950)) return say.seconds(shorten(milliseconds / 1000));
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return say.seconds(String(seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say.minutes(minutes, pad(seconds % 60));
  return say.hours(Math.floor(minutes / 60), pad(minutes % 60));
}

/** A duration in whole seconds, as a clock counts them. */
export function formatSeconds(milliseconds: number, words: WordsOf<'telling'> = spoken): string {
  return formatDuration(Math.max(0, Math.floor(milliseconds / 1000)) * 1000, { short: true }, words);
}

/** `950`, `3.2k`, `1.4M`. */
export function formatCount(count: number): string {
  if (!(count >= 1000)) return formatNumber(count);
  return count < 999_950 ? `${shorten(count / 1000)}k` : `${shorten(count / 1_000_000)}M`;
}

/** `$0.42`; more than two digits only where there would be nothing but zeros. */
export function formatMoney(usd: number, words: WordsOf<'telling'> = spoken): string {
  return words.telling.money(formatFixed(usd, usd > 0 && usd < 0.01 ? 4 : 2));
}

/** `2026-11-15 02:12:09`, in the time zone of the reader. */
export function formatTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(pad).join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')}`;
}

/** The time zone of `formatTime` at that time: `UTC+08:00`, and `UTC` where it is that. */
export function formatZone(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  if (!offset) return 'UTC';
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map(pad);
  return `UTC${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** `5 min ago` of a time that is near, else `2026-11-15 02:12`. */
export function formatRecent(at: number, now: number, words: WordsOf<'telling'> = spoken): string {
  const { ago } = words.telling;
  const passed = now - at;
  if (!(passed >= 0 && passed < RECENT)) return formatTime(at).slice(0, 'YYYY-MM-DD HH:MM'.length);
  if (passed < MINUTE) return ago.justNow;
  return passed < HOUR ? ago.minutes(Math.floor(passed / MINUTE)) : ago.hours(Math.floor(passed / HOUR));
}

/** `1,200 tokens in, 300 out, $0.42 (estimated)`. */
export function formatUsage(
  { inputTokens, outputTokens, usd, price }: RecordedUsage,
  words: WordsOf<'telling'> = spoken,
): string {
  const { usage, usageAndCost, estimated, unpriced } = words.telling;
  const cost = usd === undefined ? unpriced : formatMoney(usd, words);
  return usageAndCost(usage(inputTokens, outputTokens), price === 'estimated' ? estimated(cost) : cost);
}

/** The cost of several turns, and the number of them by the source of their price. */
export interface Sum {
  readonly turns: number;
  readonly usd: number;
  readonly prices: Readonly<Record<RecordedUsage['price'], number>>;
}

/** A sum of nothing but unknown prices is not zero. */
export function formatSum({ usd, prices, turns }: Sum, words: WordsOf<'telling'> = spoken): string {
  return prices.unknown === turns ? '' : formatMoney(usd, words);
}

/** The sources of the prices in a sum: `1 reported, 2 unknown`. */
export function describePrices({ prices }: Sum, words: WordsOf<'cost'> = spoken): string {
  const { prices: names, counts } = words.cost;
  const found = (['reported', 'estimated', 'unknown'] as const).filter((price) => prices[price] > 0);
  return counts(found.map((price) => [prices[price], names[price]]));
}

/** The name of a part of a prompt; of one that another version knows, as it is. */
export function nameSection(section: string, words: WordsOf<'why'> = spoken): string {
  const names: Readonly<Record<string, string>> = words.why.sections;
  return names[section] ?? section;
}

function shorten(value: number): string {
  return formatFixed(value, 1).replace(/\.0$/, '');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
