import { cutPath } from '../utils/cutPath.js';
import { widthOf } from '../utils/widthOf.js';
import type { ShownCount, ShownFile, ShownFiles } from './describeFileRecord.js';

/** A path is never cut to less: then the row is as wide as it is. */
const SMALLEST_PATH = 8;

/** A row that fits into so many columns: its path is what is cut. */
export function formatFileRow(
  { mark, path, counts }: ShownFile,
  columns = Number.POSITIVE_INFINITY,
): { readonly path: string; readonly line: string } {
  const figures = formatCounts(counts);
  const around = widthOf(`${mark} ${figures === '' ? '' : ` ${figures}`}`);
  const shortened = cutPath(path, Math.max(SMALLEST_PATH, columns - around));
  return { path: shortened, line: [mark, shortened, figures].filter((part) => part !== '').join(' ') };
}

/** `max · turn-4 · 3 files`. */
export function headFiles({ source, files }: ShownFiles): string {
  return [source, files].filter((part) => part !== '').join(' · ');
}

/** `+12 −3`. */
export function formatCounts(counts: readonly ShownCount[]): string {
  return counts.map(({ text }) => text).join(' ');
}

/** All of it in lines: the head, the rows and the notes further in. */
export function formatFileLines(files: ShownFiles, columns?: number): readonly string[] {
  const room = columns === undefined ? undefined : columns - INDENT.length;
  return [
    [headFiles(files), formatCounts(files.counts)].filter((part) => part !== '').join(' '),
    ...files.rows.map((row) => INDENT + formatFileRow(row, room).line),
    ...files.notes.map((note) => INDENT + note),
  ];
}

const INDENT = '  ';
