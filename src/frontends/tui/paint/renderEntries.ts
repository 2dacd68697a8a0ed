import { visibleWidth } from '@earendil-works/pi-tui';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { EntrySection } from '../screen/Paragraph.js';
import { paintLine, wrapWords } from './StyledText.js';
import type { Theme } from './theme.js';

const GAP = 2;
/** Share of the width that words take at most: longer ones stand on a line of their own. */
const WORD_SHARE = 1 / 4;

/** Words at the left, their meanings in a column beside them. */
export function renderEntries(sections: readonly EntrySection[], width: number, theme: Theme): string[] {
  const most = Math.floor((width + GAP) * WORD_SHARE);
  const column = Math.min(most, widestWord(sections)) + GAP;
  return sections.flatMap(({ title, entries }, index) => [
    ...(index === 0 ? [] : ['']),
    theme.tones.quiet(sanitizeToOneLine(title)),
    ...entries.flatMap(([word, meaning]) => renderEntry(word, meaning, column, width)),
  ]);
}

function renderEntry(word: string, meaning: string, column: number, width: number): string[] {
  const safe = sanitizeToOneLine(word);
  const spans = [{ text: sanitizeToOneLine(meaning), style: String }];
  const lines = wrapWords(spans, Math.max(1, width - column)).map(paintLine);
  const hanging = lines.map((line) => ' '.repeat(column) + line);
  if (visibleWidth(safe) + GAP > column) return [safe, ...hanging];
  return [`${padTo(safe, column)}${lines[0] ?? ''}`.trimEnd(), ...hanging.slice(1)];
}

/** The same without a width. */
export function formatEntries(sections: readonly EntrySection[]): string {
  const column = widestWord(sections) + GAP;
  return sections
    .map(({ title, entries }) =>
      [
        sanitizeToOneLine(title),
        ...entries.map(
          ([word, meaning]) => padTo(sanitizeToOneLine(word), column) + sanitizeToOneLine(meaning),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

function widestWord(sections: readonly EntrySection[]): number {
  const words = sections.flatMap(({ entries }) => entries.map(([word]) => word));
  return Math.max(0, ...words.map((word) => visibleWidth(sanitizeToOneLine(word))));
}

function padTo(text: string, column: number): string {
  return text + ' '.repeat(Math.max(0, column - visibleWidth(text)));
}
