export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
export const BACKSLASH = 0x5c;
export const BACKTICK = 0x60;
export const LESS_THAN = 0x3c;

/** Spaces and tabs: the white space that lies inside a line. */
export function isSpaceOrTab(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The first index in `start..end` that is neither space nor tab, or `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let position = start;
  while (position < end && isSpaceOrTab(text.charCodeAt(position))) position++;
  return position;
}

/** The index behind the run of equal characters that begins at `start`. */
export function skipRun(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start);
  let position = start + 1;
  while (position < end && text.charCodeAt(position) === code) position++;
  return position;
}
