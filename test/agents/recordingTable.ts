import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cli } from './playRecording.js';

const file = fileURLToPath(new URL('../fixtures/recordings/expected.md', import.meta.url));

const columns = [
  'recording',
  'what',
  'after',
  'outcome',
  'said',
  'text',
  'tools',
  'usage',
  'session so far',
  'session',
  'notices',
  'why',
] as const;

/** The cell of a column that has nothing to say. */
export const NOTHING = '—';

/** What one recording must be read as; the file explains the columns. */
export type Row = Readonly<Record<(typeof columns)[number], string>>;

/** The rows under the heading of one CLI, in the order of the file. */
export function readRecordingTable(cli: Cli): readonly Row[] {
  const section = readFileSync(file, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${cli}\n`));
  const lines = section?.split('\n').filter((line) => line.startsWith('| ')) ?? [];
  const [header, ...rows] = lines.map((line) => line.slice(2, -2).split(' | '));
  if (header?.join() !== columns.join())
    throw new Error(`${file}: the columns of ${cli} are not the known ones`);
  return rows.map(toRow);
}

function toRow(cells: readonly string[]): Row {
  if (cells.length !== columns.length)
    throw new Error(`${file}: a row with ${cells.length} cells: ${cells[0]}`);
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]])) as Row;
}
