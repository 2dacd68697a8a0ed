import { PrefixedText } from './PrefixedText.js';
import type { PrintStream } from './Printer.js';

/** Before everything that was said: at the left edge stands who says it, and no member can write there. */
export const INDENT = '  ';

/** Lines as they are; what has no room on one of them continues further in. */
export function hang(lines: string, stream: PrintStream): string {
  const columns = edgeOf(stream);
  const hangOne = (line: string): string =>
    new PrefixedText({ prefix: INDENT, columns, isBegun: true }).takeAll(line);
  return lines.split('\n').map(hangOne).join('\n');
}

/** Some terminals do not know how wide they are, and say 0. */
export function edgeOf({ isTTY, columns }: PrintStream): number | undefined {
  return isTTY && columns ? columns : undefined;
}
