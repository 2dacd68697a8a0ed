/** A place in a text. Both count from 1; columns are UTF-16 units, as in editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Reads the line ends of a text once, for all positions that are asked for. */
export function createPositionFinder(text: string): (offset: number) => Position {
  const lineStarts = [0];
  for (const end of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(end.index + end[0].length);
  return (offset) => {
    const line = lineStarts.findLastIndex((start) => start <= offset) + 1;
    return { line, column: offset - (lineStarts[line - 1] ?? 0) + 1 };
  };
}
