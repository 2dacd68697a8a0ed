import { visibleWidth } from '@earendil-works/pi-tui';
import { splitIntoGraphemes } from '../../../utils/splitIntoGraphemes.js';

const PRINTABLE_ASCII = /^[ -~]*$/u;

/** Lines of at most `width` columns that together are the text: unlike wrapping at words, nothing is dropped, no blank either. */
export function wrapExactly(text: string, width: number): string[] {
  const pieces = PRINTABLE_ASCII.test(text) ? cutEvery(text, width) : cutByColumns(text, width);
  return pieces.length === 0 ? [''] : pieces;
}

function cutEvery(text: string, width: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += width) pieces.push(text.slice(start, start + width));
  return pieces;
}

function cutByColumns(text: string, width: number): string[] {
  const pieces: string[] = [];
  let [line, columns] = ['', 0];
  for (const { segment } of splitIntoGraphemes(text)) {
    const more = visibleWidth(segment);
    if (line !== '' && columns + more > width) {
      pieces.push(line);
      [line, columns] = ['', 0];
    }
    line += segment;
    columns += more;
  }
  return line === '' ? pieces : [...pieces, line];
}
