import { randomInt, randomUUID } from 'node:crypto';

/** How the marks of everything that this process starts begin, and no others. */
export const MARKER_BEGINNING = `${randomUUID()}.`;

const COUNTER_LENGTH = 8;
let count = 0;

/** A mark for all processes of one turn. All are of one length, so that none is the beginning of another. */
export function createMarker(): string {
  count += 1;
  return MARKER_BEGINNING + count.toString(36).padStart(COUNTER_LENGTH, '0');
}

/** The same for the marks that are limits: a number of bytes that no machine has, its first digits ours alone. */
export const LIMIT_BEGINNING = String(randomInt(10 ** 8, 9 * 10 ** 8));

const LIMIT_COUNTER_LENGTH = 10;
let limits = 0;

/** A limit that nobody has had, for marks that stay with processes whose environment is cleared, see `startMarked`. */
export function createLimit(): string {
  limits += 1;
  return LIMIT_BEGINNING + String(limits).padStart(LIMIT_COUNTER_LENGTH, '0');
}
