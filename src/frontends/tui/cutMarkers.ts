/** On a line of its own or after the last words, which in Chinese no blank follows. */
const LAST_WORDS = /(?<![\w\\`])[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*$/iu;
const FIRST_WORDS = /^\s*[[［]\s*next\s*[:：][^\n\]］]{0,500}[\]］]\s*/iu;
/** How far from the ends of a text a hand-over is looked for. */
const REACH = 600;
/** Up to a blank line, another marker, or the end; or between brackets. */
const TASK =
  /^\s*[[［]\s*team_task\s*(?:[\]］][\s\S]*?(?:\n[^\S\n]*\n\s*|(?=[[［]\s*(?:next|from)\s*[:：])|$)|[:：][^\n\]］]*[\]］]\s*)/iu;

/**
 * A text without the hand-over it begins or ends with: the screen says it with an arrow. Only for reading; what counts
 * as a marker is decided elsewhere.
 */
export function cutHandOver(text: string): string {
  const tail = text.slice(-REACH);
  const end = text.length - tail.length + tail.trimEnd().replace(LAST_WORDS, '').trimEnd().length;
  const start = FIRST_WORDS.exec(text.slice(0, Math.min(REACH, end)))?.[0].length ?? 0;
  const rest = text.slice(start, end);
  return rest.trim() === '' ? '' : rest;
}

/** What a person says without the team task it begins with: the screen says that beside it. */
export function cutTask(text: string): string {
  return text.replace(TASK, '');
}
