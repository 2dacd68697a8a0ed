const LAST_LINE = /(?:^|\n)[ \t]*[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*$/iu;
const FIRST_WORDS = /^\s*[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*/iu;
/** How far from the ends of a text a hand-over is looked for. */
const REACH = 600;

/**
 * A text without the hand-over it begins or ends with: the screen says it with an arrow. Only for reading; what counts
 * as a marker is decided elsewhere.
 */
export function cutHandOver(text: string): string {
  const tail = text.slice(-REACH);
  const end = text.length - tail.length + tail.trimEnd().replace(LAST_LINE, '').trimEnd().length;
  const start = FIRST_WORDS.exec(text.slice(0, Math.min(REACH, end)))?.[0].length ?? 0;
  const rest = text.slice(start, end);
  return rest.trim() === '' ? '' : rest;
}
