/** A line of a difference: removed, added, or unchanged. */
export interface DiffLine {
  readonly mark: '-' | '+' | ' ';
  /** Without its line end. */
  readonly text: string;
  /** The text ends with this line, and not with a line end. */
  readonly isOpenEnd: boolean;
}

/** Lines that were left out because they are the same before and after. */
export interface SkippedLines {
  readonly skipped: number;
}

const CONTEXT_LINES = 3;
/** Beyond this many pairs of lines, all from the first change to the last counts as changed. */
const MOST_PAIRS = 1_000_000;

/** Compares two texts line by line: all changes, with a little context. */
export function diffLines(before: string, after: string): ReadonlyArray<DiffLine | SkippedLines> {
  const [old, now] = [splitLines(before), splitLines(after)];
  const start = countEqual(old, now);
  const end = countEqual(old.slice(start).toReversed(), now.slice(start).toReversed());
  const same = (lines: readonly string[]): DiffLine[] => lines.map((line) => markLine(' ', line));
  return skipUnchanged([
    ...same(old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ]);
}

/** Each with its line end. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** Counts the lines that are the same from the first on. */
function countEqual(left: readonly string[], right: readonly string[]): number {
  const other = left.findIndex((line, index) => line !== right[index]);
  return other === -1 ? left.length : other;
}

/** The longest lines in common stay, by the table of lengths that every textbook has. */
function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > MOST_PAIRS)
    return [...old.map((line) => markLine('-', line)), ...now.map((line) => markLine('+', line))];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]];
    if (left !== undefined && left === right) {
      lines.push(markLine(' ', left));
      row += 1;
      column += 1;
    } else if (
      left !== undefined &&
      (right === undefined || lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      lines.push(markLine('-', left));
      row += 1;
    } else {
      lines.push(markLine('+', right ?? ''));
      column += 1;
    }
  }
  return lines;
}

function markLine(mark: DiffLine['mark'], line: string): DiffLine {
  const isOpenEnd = !line.endsWith('\n');
  return { mark, text: isOpenEnd ? line : line.slice(0, -1), isOpenEnd };
}

function skipUnchanged(lines: readonly DiffLine[]): ReadonlyArray<DiffLine | SkippedLines> {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ mark }, index) => {
    if (mark !== ' ') isNear.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  });
  const shown: Array<DiffLine | SkippedLines> = [];
  let skipped = 0;
  const close = (): void => {
    if (skipped > 0) shown.push({ skipped });
    skipped = 0;
  };
  lines.forEach((line, index) => {
    if (isNear[index] === 0) skipped += 1;
    else {
      close();
      shown.push(line);
    }
  });
  close();
  return shown;
}
