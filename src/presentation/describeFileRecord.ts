import type { WordsOf } from '../catalogue/words.js';
import { shortName } from '../files/changes/fileHistory.js';
import type { FilesRecorded } from '../models/ConversationEvent.js';
import type { FileChange, GitChange } from '../models/FileChange.js';
import { cutPath } from '../utils/cutPath.js';
import { formatNumber } from '../utils/formatNumber.js';
import { sanitizeFileName, sanitizeToOneLine } from '../utils/sanitize.js';
import { widthOf } from '../utils/widthOf.js';
import type { FilesBlock } from './Block.js';

/** Files that changed, in words. Everything in it is safe to show, a line each. */
export interface ShownFiles {
  /** `max · turn-4`: where the changes come from. */
  readonly source: string;
  /** `3 files`; empty if only the repository changed. */
  readonly files: string;
  readonly counts: readonly ShownCount[];
  readonly rows: readonly ShownFile[];
  /** The number of files without a row, and anything else that is to be known. */
  readonly notes: readonly string[];
}

/** A file in one row: `M src/upload.ts +12 −3`. */
export interface ShownFile {
  readonly mark: 'A' | 'M' | 'D';
  readonly path: string;
  readonly counts: readonly ShownCount[];
}

export interface ShownCount {
  readonly kind: 'added' | 'removed' | 'fact';
  readonly text: string;
}

export interface FileRecordOptions {
  /** Number of rows. */
  readonly most: number;
  /** A command as it is to be typed; absent where none can be. */
  readonly command?: ((name: 'diff' | 'apply', what: string) => string) | undefined;
  /** The name of the member stands above already. */
  readonly isHeaded?: boolean;
}

const MARKS = { add: 'A', update: 'M', delete: 'D' } as const;
const NAMES_OF_OTHERS = 3;
const MOST_LEFT_NAMED = 12;
const SHORT_ID = 7;

/** Files that changed in turns, or because of a person. */
export function describeFileRecord(
  block: FilesBlock,
  options: FileRecordOptions,
  words: WordsOf<'fileRecords' | 'joining'>,
): ShownFiles {
  const { record } = block;
  const { files, unlisted = 0 } = record;
  const { files: count, moreIn, more } = words.fileRecords;
  const total = files.length + unlisted;
  const rows = files.slice(0, options.most).map((file) => describeFile(file, words));
  const hidden = total - rows.length;
  const diff = options.command?.('diff', shortName(nameOf(record)));
  const hiddenText = formatNumber(hidden);
  return {
    source: describeSource(block, options.isHeaded ?? false, words),
    files: total === 0 ? '' : count(formatNumber(total)),
    counts: countLines(sum(files, 'added'), sum(files, 'removed')),
    rows,
    notes: [
      ...(hidden === 0 ? [] : [diff === undefined ? more(hiddenText) : moreIn(hiddenText, diff)]),
      ...describeDoubts(record, words),
      ...describeGit(record.git, words),
      ...describeNext(record, options, words),
    ].map(sanitizeToOneLine),
  };
}

/** Changes between turns on one line; undefined for all others. */
export function describeOthers(
  { record: { by, files, unlisted = 0 }, copyOf }: FilesBlock,
  words: WordsOf<'fileRecords'>,
): string | undefined {
  if (by.kind !== 'others') return undefined;
  const names = files.slice(0, NAMES_OF_OTHERS).map(({ path }) => sanitizeFileName(path));
  const more = files.length + unlisted - names.length;
  const { others, othersInCopy } = words.fileRecords;
  return copyOf === undefined ? others(names, more) : othersInCopy(copyOf.name, names, more);
}

function describeSource(
  { record: { by }, turns, person, copyOf }: FilesBlock,
  isHeaded: boolean,
  words: WordsOf<'fileRecords' | 'joining'>,
): string {
  const { undid, applied, inCopy, betweenTurns } = words.fileRecords;
  const { list } = words.joining;
  const names = [...new Set(turns.flatMap(({ member }) => member?.name ?? []))];
  const isOwn = names.length === 1 && names[0] === copyOf?.name;
  const parts = [
    ...(isHeaded || names.length === 0 || isOwn ? [] : [list(names)]),
    ...(turns.length === 0 ? [] : [list(turns.map(({ turnId }) => turnId))]),
    ...(by.kind === 'undo' ? [by.id, undid(person?.name ?? '', by.of)] : []),
    ...(by.kind === 'apply' ? [by.id, applied(person?.name ?? '', by.of)] : []),
    ...(by.kind === 'others' ? [betweenTurns] : []),
    ...(copyOf === undefined ? [] : [inCopy(copyOf.name)]),
  ];
  return sanitizeToOneLine(parts.join(' · '));
}

/** A change of one file. */
function describeFile(
  { path, change, before, after, ...facts }: FileChange,
  words: WordsOf<'fileRecords' | 'joining'>,
): ShownFile {
  const { binary, notKept } = words.fileRecords;
  const isModeAlone = change === 'update' && before?.id === after?.id && before?.mode !== after?.mode;
  const told = [
    ...(facts.isBinary ? [binary] : []),
    ...(isModeAlone ? [sanitizeToOneLine(`${before?.mode} → ${after?.mode}`)] : []),
    ...(facts.isKept === false ? [notKept] : []),
  ];
  return {
    mark: MARKS[change],
    path: sanitizeFileName(path),
    counts: [
      ...countLines(facts.added ?? 0, facts.removed ?? 0),
      ...(told.length === 0 ? [] : [{ kind: 'fact', text: words.joining.facts(told) } as const]),
    ],
  };
}

function countLines(added: number, removed: number): ShownCount[] {
  return [
    ...(added > 0 ? [{ kind: 'added', text: `+${formatNumber(added)}` } as const] : []),
    ...(removed > 0 ? [{ kind: 'removed', text: `−${formatNumber(removed)}` } as const] : []),
  ];
}

function sum(files: readonly FileChange[], field: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + (file[field] ?? 0), 0);
}

/** Names files that somebody changed while others were moved. */
export function describeLeft(paths: readonly string[], words: WordsOf<'fileRecords'>): string {
  const names = paths.slice(0, MOST_LEFT_NAMED).map(sanitizeFileName);
  return words.fileRecords.left(names, paths.length - names.length);
}

/** Reasons not to rely on the list. */
function describeDoubts(
  { by, unlisted = 0, isLate, overlaps = [] }: FilesRecorded,
  words: WordsOf<'fileRecords' | 'joining'>,
): readonly string[] {
  const { unlisted: notListed, late, overlaps: also } = words.fileRecords;
  const { left = [] } = by.kind === 'undo' || by.kind === 'apply' ? by : {};
  return [
    ...(left.length > 0 ? [describeLeft(left, words)] : []),
    ...(unlisted > 0 ? [notListed] : []),
    ...(isLate ? [late] : []),
    ...(overlaps.length > 0 ? [also(overlaps)] : []),
  ];
}

function describeGit(
  { head, branch, refs = [] }: GitChange = {},
  words: WordsOf<'fileRecords' | 'joining'>,
): readonly string[] {
  const { head: moved, branch: switched, refs: changed, none } = words.fileRecords;
  const shorten = (id: string | undefined): string => id?.slice(0, SHORT_ID) ?? none;
  return [
    ...(branch === undefined ? [] : [switched(branch.before ?? none, branch.after ?? none)]),
    ...(head === undefined ? [] : [moved(shorten(head.before), shorten(head.after))]),
    ...(refs.length === 0 ? [] : [changed(refs.slice(0, NAMES_OF_OTHERS))]),
  ];
}

/** The way from a copy into the folder. */
function describeNext(
  record: FilesRecorded,
  { command }: FileRecordOptions,
  words: WordsOf<'fileRecords' | 'joining'>,
): readonly string[] {
  const isInCopy = record.by.kind === 'turns' && record.copyOf !== undefined && record.files.length > 0;
  if (!isInCopy || command === undefined) return [];
  return [words.fileRecords.toApply(command('apply', shortName(nameOf(record))))];
}

/** The name by which commands know the record. */
function nameOf({ by }: FilesRecorded): string {
  if (by.kind === 'turns') return by.turnIds[0] ?? '';
  return by.kind === 'others' ? '' : by.id;
}

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
