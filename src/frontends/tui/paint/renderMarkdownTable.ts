import type { MarkdownAlignment, MarkdownTable } from '../../../markdown/MarkdownBlock.js';
import { paintLine, type StyledLine, type StyledSpan, widthOfLine, wrapWords } from './StyledText.js';
import { styleInlines } from './styleInlines.js';
import type { MarkdownLook } from './theme.js';

const [SEPARATOR, CROSSING] = [' │ ', '─┼─'];
/** Less is no column: the table is told row by row. */
const SMALLEST_COLUMN = 6;

/** A table with its columns aligned; if there is no room for columns, each row is a list of heads and cells. */
export function renderMarkdownTable(table: MarkdownTable, width: number, look: MarkdownLook): string[] {
  const head = table.head.map((cell) => styleInlines(cell, { ...look, text: look.strong }));
  const rows = table.rows.map((cells) => cells.map((cell) => styleInlines(cell, look)));
  const natural = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOfLine(row[column] ?? []))),
  );
  const widths = shareWidth(natural, width - SEPARATOR.length * (natural.length - 1));
  if (widths === undefined) return renderAsLists(head, rows.length === 0 ? [[]] : rows, width, look);
  const rule = look.frame(widths.map((columns) => '─'.repeat(columns)).join(CROSSING));
  const drawn = rows.map((row) => renderRow(row, widths, table.alignments, look));
  // A row of several lines would run into the next one.
  const isTall = drawn.some(({ length }) => length > 1);
  const body = drawn.flatMap((lines, index) => (isTall && index > 0 ? [rule, ...lines] : lines));
  return [...renderRow(head, widths, table.alignments, look), rule, ...body];
}

/**
 * Widths that fit into the room: columns that need less than an equal share get what they need, and the others share the
 * rest equally. Nothing if a column would be too narrow to read.
 */
export function shareWidth(natural: readonly number[], room: number): readonly number[] | undefined {
  const byNeed = natural.map((_, column) => column).sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  const widths: number[] = [];
  let left = room;
  for (const [index, column] of byNeed.entries()) {
    const need = Math.max(1, natural[column] ?? 1);
    const width = Math.min(need, Math.floor(left / (byNeed.length - index)));
    if (width < Math.min(need, SMALLEST_COLUMN)) return undefined;
    widths[column] = width;
    left -= width;
  }
  return widths;
}

function renderRow(
  cells: readonly (readonly StyledSpan[])[],
  widths: readonly number[],
  alignments: readonly MarkdownAlignment[],
  look: MarkdownLook,
): string[] {
  const columns = widths.map((width, column) => wrapWords(cells[column] ?? [], width));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, column) => align(lines[row] ?? [], widths[column] ?? 0, alignments[column]))
      .join(look.frame(SEPARATOR)),
  );
}

function align(line: StyledLine, width: number, alignment: MarkdownAlignment = 'left'): string {
  const blank = width - widthOfLine(line);
  const before = alignment === 'right' ? blank : alignment === 'center' ? Math.floor(blank / 2) : 0;
  return ' '.repeat(before) + paintLine(line) + ' '.repeat(blank - before);
}

function renderAsLists(
  head: readonly (readonly StyledSpan[])[],
  rows: readonly (readonly (readonly StyledSpan[])[])[],
  width: number,
  look: MarkdownLook,
): string[] {
  return rows.flatMap((cells, row) => {
    const lines = head.flatMap((name, column) => {
      const label = name.length === 0 ? [] : [...name, { text: ': ', style: look.strong }];
      return wrapWords([...label, ...(cells[column] ?? [])], width).map(paintLine);
    });
    return row === 0 ? lines : ['', ...lines];
  });
}
