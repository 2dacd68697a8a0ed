import { randomUUID } from 'node:crypto';

/** How the marks of everything that this process starts begin, and no others. */
export const MARKER_BEGINNING = `${randomUUID()}.`;

const COUNTER_LENGTH = 8;
let count = 0;

/** A mark for all processes of one turn. All are of one length, so that none is the beginning of another. */
export function createMarker(): string {
  count += 1;
  return MARKER_BEGINNING + count.toString(36).padStart(COUNTER_LENGTH, '0');
}
