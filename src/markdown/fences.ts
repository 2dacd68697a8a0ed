const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The fence that is open after a line, as it was written, if `open` was before it. */
export function nextFence(open: string | null, line: string): string | null {
  const marks = FENCE.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === null) return line;
  return marks.startsWith(closingFence(open)) ? null : open;
}

export function closingFence(fence: string): string {
  return FENCE.exec(fence)?.[1] ?? '';
}

/** The text from a place on. If that is within code, the fence of the code comes first, so that it is still read as code. */
export function textFrom(text: string, start: number): string {
  const rest = text.slice(start);
  const fence = text
    .slice(0, start)
    .split('\n')
    .reduce(nextFence, null as string | null);
  return fence === null ? rest : `${fence}\n${rest}`;
}

/** Text as a block of code, whatever is in it. */
export function fenceCode(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A line as code within a line, whatever is in it. */
export function fenceInline(line: string): string {
  const marks = '`'.repeat(longestRun(line) + 1);
  const room = marks.length > 1 ? ' ' : '';
  return `${marks}${room}${line}${room}${marks}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  return longest;
}
