const LAST_LINE = /(?:^|\n)[ \t]*[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*$/iu;
const FIRST_WORDS = /^\s*[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*/iu;
/** How far from the ends of a text a hand-over is looked for. */
const REACH = 600;

/**
 * A text without the hand-over it begins or ends with: the screen says it with an arrow. Only for reading; what counts
 * as a marker is decided elsewhere.
 */
export function cutHandOver(text: string): string {
  const trimmed = text.trimEnd();
  const end = trimmed.slice(-REACH);
  const withoutEnd = trimmed.slice(0, trimmed.length - end.length) + end.replace(LAST_LINE, '');
  const start = withoutEnd.slice(0, REACH);
  const rest = start.replace(FIRST_WORDS, '') + withoutEnd.slice(REACH);
  return rest.trim() === '' ? '' : rest.trimEnd();
}
