/** A column of a table: its head, and whether it holds numbers, which stand to the right. */
export interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

/** Rows under their heads, as wide as what is in them; the last column ends where its text ends. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => lengthOf(cells[index]))));
  return lines
    .map((cells) =>
      columns
        .map(({ isNumber = false }, index) => align(cells[index] ?? '', widths[index] ?? 0, isNumber))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function align(text: string, width: number, isNumber: boolean): string {
  const padding = ' '.repeat(width - lengthOf(text));
  return isNumber ? padding + text : text + padding;
}

function lengthOf(text = ''): number {
  return Array.from(text).length;
}
