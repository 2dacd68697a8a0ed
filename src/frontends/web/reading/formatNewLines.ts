import { type DiffLine, diffLines } from '../../../utils/diffLines.js';

/** Formats the difference of two texts as the hunks of a unified diff; empty if they are the same. */
export function formatNewLines(before: string, after: string): string {
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let lines: DiffLine[] = [];
  const close = (): void => {
    if (lines.length === 0) return;
    const [removed, added] = [count(lines, '+'), count(lines, '-')];
    hunks.push(formatHunk(`@@ -${oldLine},${removed} +${newLine},${added} @@`, lines));
    oldLine += removed;
    newLine += added;
    lines = [];
  };
  for (const line of diffLines(before, after)) {
    if ('mark' in line) lines.push(line);
    else {
      close();
      oldLine += line.skipped;
      newLine += line.skipped;
    }
  }
  close();
  return before === after ? '' : hunks.join('');
}

/** Number of lines of one side: all but those that only the other one has. */
function count(lines: readonly DiffLine[], other: DiffLine['mark']): number {
  return lines.filter(({ mark }) => mark !== other).length;
}

function formatHunk(head: string, lines: readonly DiffLine[]): string {
  return [head, ...lines.map(({ mark, text }) => `${mark}${text}`)].map((line) => `${line}\n`).join('');
}
