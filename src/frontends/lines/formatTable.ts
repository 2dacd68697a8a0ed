import { stripVTControlCharacters } from 'node:util';
import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import type { Column } from '../../presentation/cost.js';

/** Rows under their heads, as wide as what is in them takes on a screen; the last column ends where its text ends. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => visibleWidth(cells[index] ?? ''))),
  );
  return lines
    .map((cells) =>
      columns
        .map(({ isNumber = false }, index) => align(cells[index] ?? '', widths[index] ?? 0, isNumber))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A line that takes at most so many columns, without the colours that pi-tui would put into it. */
export function cutToWidth(line: string, width: number): string {
  return stripVTControlCharacters(truncateToWidth(line, width, '…'));
}

function align(text: string, width: number, isNumber: boolean): string {
  const padding = ' '.repeat(width - visibleWidth(text));
  return isNumber ? padding + text : text + padding;
}
