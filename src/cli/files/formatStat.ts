import { words } from '../../catalogue/words.js';
import type { FileChange } from '../../models/FileChange.js';
import { sanitizeFileName } from '../../utils/sanitize.js';
import { widthOf } from '../../utils/widthOf.js';

const USUAL_COLUMNS = 80;
const LONGEST_BAR = 40;

/** A line for each file with the number of changed lines and a bar of signs, and a sum, as git prints them. */
export function formatStat(files: readonly FileChange[], columns = USUAL_COLUMNS): string {
  const names = files.map(({ path }) => sanitizeFileName(path));
  const numbers = files.map(describeNumber);
  const [nameWidth, numberWidth] = [names, numbers].map((texts) => Math.max(...texts.map(widthOf)));
  const room = columns - (nameWidth ?? 0) - (numberWidth ?? 0) - 5;
  const most = Math.max(...files.map(({ added = 0, removed = 0 }) => added + removed));
  const scale = Math.min(1, Math.max(1, Math.min(LONGEST_BAR, room)) / most);
  const lines = files.map((file, index) => {
    const [name = '', number = ''] = [names[index], numbers[index]];
    const line = ` ${pad(name, nameWidth)} | ${pad(number, numberWidth, true)} ${bar(file, scale)}`;
    return line.trimEnd();
  });
  const sum = (part: 'added' | 'removed') => files.reduce((total, file) => total + (file[part] ?? 0), 0);
  return [...lines, ` ${words.files.stat(files.length, sum('added'), sum('removed'))}`].join('\n');
}

function describeNumber({ added, removed, isBinary }: FileChange): string {
  if (isBinary) return words.files.binary;
  return added === undefined || removed === undefined ? words.files.notShown : String(added + removed);
}

function bar({ added = 0, removed = 0 }: FileChange, scale: number): string {
  const signs = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  return '+'.repeat(signs(added)) + '-'.repeat(signs(removed));
}

function pad(text: string, width = 0, isNumber = false): string {
  const room = ' '.repeat(width - widthOf(text));
  return isNumber ? room + text : text + room;
}
