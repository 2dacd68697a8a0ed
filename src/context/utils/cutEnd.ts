import { type MeasuredText, measureBeginning, utf8Length } from '../../utils/bytes.js';

/** At least this much of a cut text stays next to the mark. */
const MINIMUM_KEPT_BYTES = 64;

/** A text that ends with a mark in place of what was cut. */
export interface CutText extends MeasuredText {
  readonly cutBytes: number;
}

/** The longest beginning that fits into `room` together with the mark; null when too little would stay. */
export function cutEnd(whole: MeasuredText, room: number): CutText | null {
  // The mark makes room for itself, and its number may grow a digit by that: two tries at most.
  for (let digits = countDigits(whole.bytes - Math.max(0, room)); ; digits++) {
    const kept = keepBeginning(whole, room - MARK_BYTES - digits);
    if (kept.bytes < MINIMUM_KEPT_BYTES) return null;
    const cutBytes = whole.bytes - kept.bytes;
    const cutDigits = countDigits(cutBytes);
    if (cutDigits > digits) continue;
    return { text: kept.text + cutMark(cutBytes), bytes: kept.bytes + MARK_BYTES + cutDigits, cutBytes };
  }
}

/** Bytes of the shortest form of a text: the minimum up to the next whole character, and the mark. */
export function smallestCutBytes({ text, bytes }: MeasuredText): number {
  let keptBytes = 0;
  for (let limit = MINIMUM_KEPT_BYTES; keptBytes < Math.min(MINIMUM_KEPT_BYTES, bytes); limit++) {
    keptBytes = measureBeginning(text, limit).bytes;
  }
  return Math.min(bytes, keptBytes + MARK_BYTES + countDigits(bytes - keptBytes));
}

/** Mark in place of the part that was cut. */
export function cutMark(cutBytes: number): string {
  return `\n[… ${cutBytes} bytes cut]`;
}

/** Bytes of the mark without its number. */
const MARK_BYTES = utf8Length(cutMark(0)) - 1;

function countDigits(count: number): number {
  return String(count).length;
}

/** In text of one byte a character the cut is known without looking. */
function keepBeginning({ text, bytes }: MeasuredText, maxBytes: number): MeasuredText {
  if (bytes !== text.length) return measureBeginning(text, maxBytes);
  const kept = Math.max(0, Math.min(maxBytes, bytes));
  return { text: text.slice(0, kept), bytes: kept };
}
