import { createHash } from 'node:crypto';

/** An id that looks like those of the real CLIs, the same for the same words. */
export function makeSessionId(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
