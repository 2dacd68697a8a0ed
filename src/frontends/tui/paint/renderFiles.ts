import { wrapTextWithAnsi } from '@earendil-works/pi-tui';
import {
  formatFileRow,
  headFiles,
  type ShownCount,
  type ShownFile,
} from '../../../presentation/describeFileRecord.js';
import type { FilesParagraph } from '../screen/Paragraph.js';
import type { Theme } from './theme.js';

const INDENT = '  ';
const ROW_INDENT = '    ';

const MARK_TONES = { A: 'good', M: 'warning', D: 'bad' } as const;
const COUNT_TONES = { added: 'good', removed: 'bad', fact: 'quiet' } as const;

/** The files of a record, a row each that is never wider than the screen. */
export function renderFiles({ files }: FilesParagraph, width: number, { tones }: Theme): string[] {
  const paintCounts = (counts: readonly ShownCount[]): string[] =>
    counts.map(({ kind, text }) => tones[COUNT_TONES[kind]](text));
  const paintRow = (row: ShownFile): string => {
    const { path } = formatFileRow(row, width - ROW_INDENT.length);
    return [ROW_INDENT + tones[MARK_TONES[row.mark]](row.mark), path, ...paintCounts(row.counts)].join(' ');
  };
  const head = [`±`, tones.strong(headFiles(files)), ...paintCounts(files.counts)].join(' ');
  return [
    ...wrapTextWithAnsi(head, width - INDENT.length).map((line) => INDENT + line),
    ...files.rows.map(paintRow),
    ...files.notes.flatMap((note) =>
      wrapTextWithAnsi(tones.quiet(note), width - ROW_INDENT.length).map((line) => ROW_INDENT + line),
    ),
  ];
}
