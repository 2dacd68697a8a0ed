import { CURSOR_MARKER, type Editor, visibleWidth } from '@earendil-works/pi-tui';
import type { Catalogue } from '../../../catalogue/words.js';

const KEYS = { left: '\x1b[D', right: '\x1b[C' };
const ROWS_ABOVE = /↑ (\d+) more/u;
const ROWS_BELOW = '↓';

/** The place of the cursor on the rows of an editor, which may be wrapped lines. */
export interface EditorPlace {
  readonly row: number;
  /** In columns of the screen, which a wide character takes two of. */
  readonly column: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Finds the cursor in what the editor paints: between two rules, which say how many rows are out of sight. */
export function locateCursor(editor: Editor, width: number): EditorPlace {
  const rows = editor.render(width);
  const index = rows.findIndex((row) => row.includes(CURSOR_MARKER));
  const [before = ''] = rows[index]?.split(CURSOR_MARKER) ?? [];
  const above = Number(ROWS_ABOVE.exec(rows[0] ?? '')?.[1] ?? 0);
  const isLastSeen = index === rows.length - 2;
  return {
    row: above + index,
    column: visibleWidth(before),
    isFirst: above + index === 1,
    isLast: isLastSeen && rows.at(-1)?.includes(ROWS_BELOW) !== true,
  };
}

/** Moves the cursor on its row as near to a column as it goes, never beyond it: the editor itself counts characters. */
export function alignCursor(editor: Editor, width: number, column: number): void {
  for (let place = locateCursor(editor, width); place.column !== column; ) {
    const [key, back] = place.column > column ? [KEYS.left, KEYS.right] : [KEYS.right, KEYS.left];
    editor.handleInput(key);
    const next = locateCursor(editor, width);
    const isStuck = next.row === place.row && next.column === place.column;
    const isTooFar = next.row !== place.row || (key === KEYS.right && next.column > column);
    if (isTooFar) editor.handleInput(back);
    if (isStuck || isTooFar || next.column < column === (key === KEYS.left)) return;
    place = next;
  }
}

/** Names of long pastes, as the editor writes them. */
const PASTE = /\[paste #(\d+) (?:\+(\d+) lines|(\d+) chars)\]/gu;
/** A rule of the editor that says how many rows are out of sight. */
const RULE = /(?<=─── )([↑↓]) (\d+) more ─*/u;

/** The same text, with the names of its pastes in the language of the user. */
export function wordPastes(text: string, words: Catalogue): string {
  const { pastedLines, pastedCharacters } = words.terminal;
  return text.replaceAll(PASTE, (_name, number: string, lines?: string, characters?: string) =>
    lines === undefined
      ? pastedCharacters(Number(number), Number(characters))
      : pastedLines(Number(number), Number(lines)),
  );
}

/** A row of the editor with the names of pastes in the language of the user, as wide as before. */
export function wordPastesOfRow(row: string, words: Catalogue): string {
  const worded = wordPastes(row, words);
  return worded + ' '.repeat(Math.max(0, visibleWidth(row) - visibleWidth(worded)));
}

/** A rule of the editor in the language of the user, as wide as before. */
export function wordRule(row: string, words: Catalogue): string {
  return row.replace(RULE, (rest, arrow: string, count: string) => {
    const text = `${words.terminal.hiddenRows(arrow, Number(count))} `;
    const room = visibleWidth(rest) - visibleWidth(text);
    return room < 0 ? rest : text + '─'.repeat(room);
  });
}
