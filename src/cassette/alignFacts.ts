import type { RecordedEvent } from '../models/ConversationEvent.js';
import { factKey } from './factKey.js';

/** A fact of a recording and the same one of its play; or one that only one of them has. */
export interface FactPair {
  readonly before?: RecordedEvent;
  readonly now?: RecordedEvent;
}

/** So far ahead is a fact looked for that is not in its place. */
const MOST_SKIPPED = 50;

/** Pairs the facts of a recording with those of its play, in order. */
export function alignFacts(before: readonly RecordedEvent[], now: readonly RecordedEvent[]): FactPair[] {
  const [old, current] = [before.map(factKey), now.map(factKey)];
  const pairs: FactPair[] = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < current.length) {
    const missing = distanceTo(current[right], old, left);
    const extra = distanceTo(old[left], current, right);
    if (missing === 0) pairs.push(pair(before[left++], now[right++]));
    else if (missing === undefined && extra === undefined) pairs.push(...apart(before[left++], now[right++]));
    else if (extra === undefined || (missing !== undefined && missing <= extra))
      pairs.push(pair(before[left++], undefined));
    else pairs.push(pair(undefined, now[right++]));
  }
  for (const event of before.slice(left)) pairs.push({ before: event });
  for (const event of now.slice(right)) pairs.push({ now: event });
  return pairs;
}

/** Two facts in the same place: one in place of the other if they are of one type. */
function apart(before: RecordedEvent | undefined, now: RecordedEvent | undefined): FactPair[] {
  return before?.type === now?.type ? [pair(before, now)] : [pair(before, undefined), pair(undefined, now)];
}

function pair(before: RecordedEvent | undefined, now: RecordedEvent | undefined): FactPair {
  return { ...(before && { before }), ...(now && { now }) };
}

function distanceTo(key: string | undefined, keys: readonly string[], from: number): number | undefined {
  for (let distance = 0; distance < MOST_SKIPPED && from + distance < keys.length; distance += 1)
    if (keys[from + distance] === key) return distance;
  return undefined;
}
