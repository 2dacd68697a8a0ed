import type { RecentChanges, RecentRecord } from '../../conversation/files/recentChanges.js';
import type { MemberProfile } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { plainName } from '../../utils/plainName.js';
import { describeChangedFiles, nameIn } from './describeChangedFiles.js';
import { type FileList, formatLists, formatPatches } from './fileLists.js';

/** The member that is told, and how. */
export interface ToldMember {
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
