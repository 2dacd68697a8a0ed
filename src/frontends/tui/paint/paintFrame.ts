import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';

/** The part of the screen that still changes, and where the cursor stands in it. */
export interface Frame {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isCursorShown: boolean;
}

export const EMPTY_FRAME: Frame = { lines: [], cursor: { row: 0, column: 0 }, isCursorShown: true };

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const LINE_BREAK = '\r\n';

/**
 * The bytes that turn one frame into the next, with `printed` put above it permanently: as these scroll away
 * they become the terminal's own scrollback. Moves are relative to the cursor, so nothing above the frame is
 * ever touched. The last line of a frame must leave a column free. Nothing is cleared from the top of the
 * screen, because terminals that are asked to do that save what was there as if it had been printed.
 */
export function paintFrame(before: Frame, after: Frame, printed: readonly string[], width: number): string {
  const { bytes, row } =
    printed.length > 0 || before.lines.length === 0
      ? paintAll(before, after, printed, width)
      : paintChanges(before, after, width);
  const place = `${moveRows(row, after.cursor.row)}\x1b[${after.cursor.column + 1}G`;
  return `${BEGIN}${bytes}${place}${paintCursor(before, after)}${END}`;
}

/** Number of rows that lines of these widths take when a terminal wraps them at `columns`. */
export function countRows(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0);
}

/** The last safety: an overlong line would break the layout of everything below it. */
export function clampLines(lines: readonly string[], width: number): string[] {
  return lines.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, '…') : line));
}

interface Painted {
  readonly bytes: string;
  /** The row of the cursor afterwards. */
  readonly row: number;
}

function paintAll(before: Frame, after: Frame, printed: readonly string[], width: number): Painted {
  const lines = [...printed, ...after.lines].map((line) => paintLine(line, width));
  const bytes = `${moveRows(before.cursor.row, 0)}\r${lines.join(LINE_BREAK)}${CLEAR_BELOW}`;
  return { bytes, row: after.lines.length - 1 };
}

function paintChanges(before: Frame, after: Frame, width: number): Painted {
  let bytes = '';
  let row = before.cursor.row;
  after.lines.forEach((line, index) => {
    if (line === before.lines[index]) return;
    const isNew = index >= before.lines.length;
    bytes += isNew ? moveRows(row, index - 1) + LINE_BREAK : `${moveRows(row, index)}\r`;
    bytes += paintLine(line, width);
    row = index;
  });
  if (after.lines.length < before.lines.length) {
    bytes += `${moveRows(row, after.lines.length)}\r${CLEAR_BELOW}`;
    row = after.lines.length;
  }
  return { bytes, row };
}

/** A line that fills its row leaves nothing to clear, and clearing would take its last character. */
function paintLine(line: string, width: number): string {
  return visibleWidth(line) < width ? line + CLEAR_LINE_END : line;
}

function moveRows(from: number, to: number): string {
  if (from === to) return '';
  return from > to ? `\x1b[${from - to}A` : `\x1b[${to - from}B`;
}

/** Only when it changes: showing a cursor that is shown restarts its blinking. */
function paintCursor(before: Frame, after: Frame): string {
  if (before.isCursorShown === after.isCursorShown) return '';
  return after.isCursorShown ? '\x1b[?25h' : '\x1b[?25l';
}
