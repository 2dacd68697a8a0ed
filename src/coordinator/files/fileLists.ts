import { MOST_PATCH_BYTES, type RecentRecord } from '../../conversation/files/recentChanges.js';
import { truncateToBytes, utf8Length } from '../../utils/bytes.js';
import { LINE_BREAK } from '../../utils/lineBreaks.js';
import type { DescribedFiles } from './describeChangedFiles.js';

/** The changed files of one place. */
export interface FileList extends DescribedFiles {
  readonly title: string;
  /** There were older changes, which are not known any more. */
  readonly isCut?: boolean;
  /** The record whose lines follow the list. */
  readonly patchOf?: RecentRecord;
}

/** Room of all lists together, without the lines of patches. */
const MOST_LINES = 40;
const MOST_BYTES = 4096;

const INDENT = '  ';
const CUT_MARK = `${INDENT}[… the rest is not shown]`;
const OLDER = '- … and older changes, which are not listed';

/** The lists, line by line. Each has an equal share of the room, so there must be few. */
export function formatLists(lists: readonly FileList[]): string[] {
  const room = { lines: Math.floor(MOST_LINES / lists.length), bytes: Math.floor(MOST_BYTES / lists.length) };
  return lists.flatMap((list) => formatList(list, room));
}

function formatList(
  { title, lines, unlisted, isCut, patchOf }: FileList,
  room: { readonly lines: number; readonly bytes: number },
): string[] {
  const older = isCut ? [OLDER] : [];
  const fixed = [title, ...older];
  const whole = [...fixed, ...lines];
  const isWhole = unlisted === 0 && whole.length <= room.lines && bytesOf(whole) <= room.bytes;
  const kept = isWhole ? lines : keepFirst(lines, room, [...fixed, moreFiles(unlisted + lines.length)]);
  const more = unlisted + lines.length - kept.length;
  return [
    title,
    ...kept,
    ...(more > 0 ? [moreFiles(more)] : []),
    ...older,
    ...(patchOf === undefined ? [] : formatPatch(patchOf)),
  ];
}

/** As many lines as there is room for beside others. */
function keepFirst(
  lines: readonly string[],
  room: { readonly lines: number; readonly bytes: number },
  besides: readonly string[],
): readonly string[] {
  let left = room.bytes - bytesOf(besides);
  const fitting = lines.findIndex((line) => {
    left -= bytesOf([line]);
    return left < 0;
  });
  const most = Math.max(0, room.lines - besides.length);
  return lines.slice(0, fitting === -1 ? most : Math.min(fitting, most));
}

function moreFiles(count: number): string {
  return `- … and ${count} more ${count === 1 ? 'file' : 'files'}`;
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + utf8Length(line) + 1, 0);
}

/** The lines of records, as they happened, in the room there is; the newest are kept. */
export function formatPatches(records: readonly RecentRecord[]): string[] {
  let left = MOST_PATCH_BYTES;
  const kept: string[] = [];
  for (const record of records.toReversed()) {
    const text = formatPatch(record).join('\n');
    if (text === '') continue;
    const bytes = utf8Length(text) + 1;
    kept.push(bytes <= left ? text : cutAtLine(text, left));
    left -= bytes;
    if (left < 0) break;
  }
  return kept.length === 0 ? [] : ['The lines that changed:', ...kept.reverse()];
}

function cutAtLine(text: string, maxBytes: number): string {
  const beginning = truncateToBytes(text, maxBytes);
  return beginning.slice(0, beginning.lastIndexOf('\n') + 1) + CUT_MARK;
}

/** A patch, indented so that nothing in it can be taken for a part of the prompt. */
function formatPatch({ patch, patchIsCut }: RecentRecord): string[] {
  const text = patch?.replace(/\n$/u, '') ?? '';
  return [
    ...(text === '' ? [] : [INDENT + text.replace(LINE_BREAK, `$&${INDENT}`)]),
    ...(patchIsCut ? [CUT_MARK] : []),
  ];
}
