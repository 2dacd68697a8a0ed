import { MOST_PATCH_BYTES, type RecentChanges, type RecentRecord } from '../../conversation/recentChanges.js';
import type { MemberProfile } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { truncateToBytes, utf8Length } from '../../utils/bytes.js';
import { LINE_BREAK } from '../../utils/lineBreaks.js';
import { plainName } from '../../utils/plainName.js';
import { type DescribedFiles, describeChangedFiles, nameIn } from './describeChangedFiles.js';

/** The member that is told, and how. */
interface ToldMember {
  readonly memberId: MemberId;
  readonly profile: Pick<MemberProfile, 'tellFiles'>;
  /** Its own session continues, so it has what it was told before. */
  readonly isContinued: boolean;
}

/** Most turns in copies of others that are told; the newest. */
const MOST_COPIES = 8;

/**
 * Describes to a member the files that others changed since its own last record: in the working folder, in its own copy,
 * and in the copies of others as long as nothing is decided about them. In English like the rest of the prompt. Undefined:
 * there is nothing to tell. Pure, so that `why` makes the same text from the log.
 */
export function tellFiles(changes: RecentChanges, told: ToldMember): string | undefined {
  const extent = told.profile.tellFiles ?? 'nothing';
  if (extent === 'nothing') return undefined;
  const { inFolder, inOwnCopy, inCopies } = findNews(changes, told);
  const lists = [
    ...listFolder(changes, told.memberId, inFolder),
    ...listOwnCopy(changes, inOwnCopy),
    ...inCopies.slice(-MOST_COPIES).map((record) => listCopy(changes, record)),
  ];
  if (lists.length === 0) return undefined;
  const shown = extent === 'diff' ? [...inFolder, ...inOwnCopy] : [];
  const hidden = inCopies.length - MOST_COPIES;
  return [
    ...formatLists(lists),
    ...(hidden > 0 ? [`In copies, and not shown here: the work of ${hidden} earlier turns`] : []),
    ...formatPatches(shown),
  ].join('\n');
}

interface News {
  readonly inFolder: readonly RecentRecord[];
  readonly inOwnCopy: readonly RecentRecord[];
  readonly inCopies: readonly RecentRecord[];
}

function findNews({ records, lastTurns }: RecentChanges, { memberId, isContinued }: ToldMember): News {
  const last = lastTurns.get(memberId)?.record ?? 0;
  // What ran at the same time as others, or was recorded late, may be theirs: then its own last record is news as well.
  const isItsOwn = ({ by, isLate }: RecentRecord) =>
    by.kind === 'turns' && !isLate && by.turns.every((turn) => turn.memberId === memberId);
  const isNew = (record: RecentRecord) => record.number >= last && !isItsOwn(record);
  const isOthersCopy = ({ copyOf, by }: RecentRecord) =>
    copyOf !== undefined && copyOf !== memberId && by.kind === 'turns';
  return {
    inFolder: records.filter((record) => record.copyOf === undefined && isNew(record)),
    inOwnCopy: records.filter((record) => record.copyOf === memberId && isNew(record)),
    inCopies: records.filter((record) => isOthersCopy(record) && (!isContinued || isNew(record))),
  };
}

function listFolder(
  changes: RecentChanges,
  memberId: MemberId,
  records: readonly RecentRecord[],
): FileList[] {
  const last = changes.lastTurns.get(memberId);
  const isCut = changes.droppedUpTo > (last?.record ?? 0);
  if (records.length === 0 && !isCut) return [];
  const since =
    last === undefined ? 'Since this conversation began' : `Since your last turn (${plainName(last.turnId)})`;
  return [{ title: `${since}, in the working folder:`, ...describeChangedFiles(changes, records), isCut }];
}

function listOwnCopy(changes: RecentChanges, records: readonly RecentRecord[]): FileList[] {
  if (records.length === 0) return [];
  return [{ title: 'In your own copy:', ...describeChangedFiles(changes, records) }];
}

function listCopy(changes: RecentChanges, record: RecentRecord): FileList {
  const { copyOf, by } = record;
  const owner = copyOf === undefined ? '' : nameIn(changes, copyOf);
  const turns = by.kind === 'turns' ? by.turns.map(({ turnId }) => plainName(turnId)).join(', ') : '';
  const title = `In ${owner}'s own copy, not in the working folder (${turns}):`;
  return { title, ...describeChangedFiles(changes, [record]), patchOf: record };
}

/** The changed files of one place. */
interface FileList extends DescribedFiles {
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
function formatLists(lists: readonly FileList[]): string[] {
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
function formatPatches(records: readonly RecentRecord[]): string[] {
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
