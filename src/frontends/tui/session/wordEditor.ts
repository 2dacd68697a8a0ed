import { visibleWidth } from '@earendil-works/pi-tui';
import { words } from '../../../catalogue/words.js';

/** Names of long pastes, as the editor writes them. */
const PASTE = /\[paste #(\d+) (?:\+(\d+) lines|(\d+) chars)\]/gu;
/** A rule of the editor that says how many rows are out of sight. */
const RULE = /(?<=─── )([↑↓]) (\d+) more ─*/u;

/** The same text, with the names of its pastes in the language of the user. */
export function wordPastes(text: string): string {
  const { pastedLines, pastedCharacters } = words.terminal;
  return text.replaceAll(PASTE, (_name, number: string, lines?: string, characters?: string) =>
    lines === undefined
      ? pastedCharacters(Number(number), Number(characters))
      : pastedLines(Number(number), Number(lines)),
  );
}

/** A row of the editor with the names of pastes in the language of the user, as wide as before. */
export function wordPastesOfRow(row: string): string {
  const worded = wordPastes(row);
  return worded + ' '.repeat(Math.max(0, visibleWidth(row) - visibleWidth(worded)));
}

/** A rule of the editor in the language of the user, as wide as before. */
export function wordRule(row: string): string {
  return row.replace(RULE, (rest, arrow: string, count: string) => {
    const text = `${words.terminal.hiddenRows(arrow, Number(count))} `;
    const room = visibleWidth(rest) - visibleWidth(text);
    return room < 0 ? rest : text + '─'.repeat(room);
  });
}
