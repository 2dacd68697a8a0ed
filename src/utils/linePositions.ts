/** A place in a text. Both count from 1; columns are UTF-16 units, as in editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Reads the line ends of a text once; each position after that is a binary search. */
export function createPositionFinder(text: string): (offset: number) => Position {
  const lineStarts = [0];
  for (const end of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(end.index + end[0].length);
  return (offset) => {
    const line = countUpTo(lineStarts, offset);
    return { line, column: offset - (lineStarts[line - 1] ?? 0) + 1 };
  };
}

/** Counts the ascending numbers that are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
