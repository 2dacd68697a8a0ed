/** A column of a table: its head, and whether it holds numbers, which stand to the right. */
export interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

/** Rows under their heads, as wide as what is in them; the last column ends where its text ends. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => widthOf(cells[index]))));
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
  const padding = ' '.repeat(width - widthOf(text));
  return isNumber ? padding + text : text + padding;
}

/** Letters of East Asia and pictures, but for the letters that are called halfwidth. */
const WIDE =
  /(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/gu;
/** What stands over a letter. */
const MARK = /\p{M}/gu;

/** Columns on a screen. */
function widthOf(text = ''): number {
  return Array.from(text).length + countOf(WIDE, text) - countOf(MARK, text);
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
