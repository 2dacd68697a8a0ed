import type { ConversationFact, FilesRecorded, MemberProfile } from '../models/ConversationEvent.js';
import type { FileChange } from '../models/FileChange.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { truncateToBytes } from '../utils/bytes.js';
import { findRecentTurn, type IndexedTurn, type RecentTurns } from './turnIndex.js';

/**
 * The changes of files that members may have to be told, folded from the facts. It is saved with every checkpoint, so it
 * is bounded: what is dropped first is the oldest.
 */
export interface RecentChanges {
  /** Number of records so far, dropped ones included. */
  readonly count: number;
  /** Oldest first. */
  readonly records: readonly RecentRecord[];
  /** Number of the newest record that was dropped for lack of room; 0: none was. */
  readonly droppedUpTo: number;
  /** The last turn of each member that was recorded. */
  readonly lastTurns: ReadonlyMap<MemberId, LastTurn>;
  /** The latest name of everyone who may have changed something. */
  readonly names: ReadonlyMap<MemberId, string>;
  /** Members that are told the lines of changes as well. */
  readonly toldLines: readonly MemberId[];
}

/** A record, as far as it is told. */
export interface RecentRecord extends Pick<FilesRecorded, 'copyOf' | 'unlisted' | 'isLate'> {
  /** Its place among all records, from 1. */
  readonly number: number;
  readonly by: ChangeSource;
  readonly files: readonly RecentFile[];
  /** The lines, where someone is told them: those of the working folder only if a member is, those of copies always. */
  readonly patch?: string;
  readonly patchIsCut?: true;
}

export type RecentFile = Pick<FileChange, 'path' | 'change' | 'added' | 'removed' | 'isBinary'>;

/** The source of a record, with the member of each turn. */
export type ChangeSource =
  | { readonly kind: 'turns'; readonly turns: readonly SourceTurn[] }
  | Exclude<FilesRecorded['by'], { kind: 'turns' }>;

export type SourceTurn = Pick<IndexedTurn, 'turnId' | 'blindRound'> & {
  readonly memberId?: MemberId | undefined;
};

interface LastTurn {
  readonly turnId: TurnId;
  /** Number of its record. */
  readonly record: number;
}

export const NO_CHANGES: RecentChanges = {
  count: 0,
  records: [],
  droppedUpTo: 0,
  lastTurns: new Map(),
  names: new Map(),
  toldLines: [],
};

const MOST_FILES = 1000;
/** Longest path that is remembered whole, in UTF-16 units; of a longer one both ends are. */
const LONGEST_PATH = 512;
/** Most lines that are remembered of one record, in bytes. */
export const MOST_PATCH_BYTES = 64 * 1024;
/** The same of all records together, in UTF-16 units. */
const MOST_PATCH_LENGTH = 4 * MOST_PATCH_BYTES;

/** The changes after one more fact; `turns` are those of the same moment. */
export function rememberChanges(
  changes: RecentChanges,
  fact: ConversationFact,
  turns: RecentTurns,
): RecentChanges {
  switch (fact.type) {
    case 'conversation-start':
      return fact.team.members.reduce((known, { id, name }) => learnName(known, id, name), changes);
    case 'message-added': {
      const { roleId, roleName, type } = fact.message.speaker;
      // roleId of a member's message is the member's id.
      return type === 'system' ? changes : learnName(changes, roleId as MemberId, roleName);
    }
    case 'profile-changed': {
      const { memberId, profile } = fact;
      return { ...learnName(changes, memberId, profile.agentName), toldLines: tellLines(changes, fact) };
    }
    case 'files-recorded':
      return withinBounds(addRecord(changes, fact, turns));
    case 'conversation-forked':
    case 'task-changed':
    case 'title-changed':
    case 'turns-queued':
    case 'turns-dropped':
    case 'turn-start':
    case 'turn-activity':
    case 'permission-decided':
    case 'turn-end':
    case 'waiting-for-human':
    case 'conversation-pause':
    case 'conversation-resume':
    case 'notice':
      return changes;
  }
}

function learnName(changes: RecentChanges, memberId: MemberId, name: string): RecentChanges {
  if (changes.names.get(memberId) === name) return changes;
  return { ...changes, names: new Map(changes.names).set(memberId, name) };
}

function tellLines(
  { toldLines }: RecentChanges,
  { memberId, profile }: { readonly memberId: MemberId; readonly profile: MemberProfile },
): readonly MemberId[] {
  const others = toldLines.filter((id) => id !== memberId);
  return profile.tellFiles === 'diff' ? [...others, memberId] : others;
}

function addRecord(changes: RecentChanges, fact: FilesRecorded, turns: RecentTurns): RecentChanges {
  const number = changes.count + 1;
  const by = sourceOf(fact, turns);
  const added = fact.files.length === 0 && !fact.unlisted ? [] : [toRecent(fact, number, by, changes)];
  return {
    ...changes,
    count: number,
    records: [...settle(changes.records, fact), ...added],
    lastTurns: by.kind === 'turns' ? withLastTurns(changes.lastTurns, by.turns, number) : changes.lastTurns,
  };
}

function sourceOf({ by }: FilesRecorded, turns: RecentTurns): ChangeSource {
  if (by.kind !== 'turns') return by;
  const found = by.turnIds.map((turnId): SourceTurn => {
    const { memberId, blindRound } = findRecentTurn(turns, turnId) ?? {};
    return { turnId, memberId, blindRound };
  });
  return { kind: 'turns', turns: found };
}

function withLastTurns(
  lastTurns: RecentChanges['lastTurns'],
  turns: readonly SourceTurn[],
  record: number,
): RecentChanges['lastTurns'] {
  const known = new Map(lastTurns);
  for (const { memberId, turnId } of turns)
    if (memberId !== undefined) known.set(memberId, { turnId, record });
  return known;
}

function toRecent(
  { copyOf, files, unlisted, isLate, patch, patchIsCut }: FilesRecorded,
  number: number,
  by: ChangeSource,
  { toldLines }: RecentChanges,
): RecentRecord {
  const lines = copyOf !== undefined || toldLines.length > 0 ? patch : undefined;
  return {
    number,
    by,
    copyOf,
    files: files.map(toRecentFile),
    unlisted,
    isLate,
    ...(lines && cutLines(lines, patchIsCut)),
  };
}

function toRecentFile({ path, change, added, removed, isBinary }: FileChange): RecentFile {
  return {
    path: path.length > LONGEST_PATH ? `${path.slice(0, 160)}…${path.slice(-320)}`.toWellFormed() : path,
    change,
    added,
    removed,
    isBinary,
  };
}

function cutLines(patch: string, isCut: true | undefined): Pick<RecentRecord, 'patch' | 'patchIsCut'> {
  const kept = truncateToBytes(patch, MOST_PATCH_BYTES);
  if (kept.length === patch.length) return { patch, patchIsCut: isCut };
  return { patch: kept.slice(0, kept.lastIndexOf('\n') + 1), patchIsCut: true };
}

/**
 * Drops what was done in copies and is decided: applied, undone there, or tried in the same blind round as what was
 * applied.
 */
function settle(records: RecentChanges['records'], { by }: FilesRecorded): RecentChanges['records'] {
  if (by.kind !== 'undo' && by.kind !== 'apply') return records;
  const isNamed = ({ turnId }: SourceTurn) => by.of.includes(turnId);
  const inCopies = records.flatMap((record) =>
    record.copyOf !== undefined && record.by.kind === 'turns' ? record.by.turns : [],
  );
  const rounds = inCopies.filter(isNamed).flatMap(({ blindRound }) => blindRound ?? []);
  const isDecided = (turn: SourceTurn) =>
    isNamed(turn) ||
    (by.kind === 'apply' && turn.blindRound !== undefined && rounds.includes(turn.blindRound));
  return records.filter(
    (record) => record.copyOf === undefined || record.by.kind !== 'turns' || !record.by.turns.some(isDecided),
  );
}

/** Walks from the newest record back until the room ends. */
function withinBounds(changes: RecentChanges): RecentChanges {
  let [files, patchRoom, { droppedUpTo }] = [MOST_FILES, MOST_PATCH_LENGTH, changes];
  const kept: RecentRecord[] = [];
  for (const record of changes.records.toReversed()) {
    if (files === 0) {
      droppedUpTo = Math.max(droppedUpTo, record.number);
      continue;
    }
    patchRoom -= record.patch?.length ?? 0;
    kept.push(withinRoom(record, files, patchRoom >= 0));
    files -= Math.min(files, record.files.length);
  }
  return { ...changes, droppedUpTo, records: kept.reverse() };
}

function withinRoom(record: RecentRecord, files: number, hasRoomForPatch: boolean): RecentRecord {
  const { patch, ...rest } = record;
  const unkept = record.files.length - files;
  return {
    ...rest,
    ...(unkept > 0 && { files: record.files.slice(0, files), unlisted: (record.unlisted ?? 0) + unkept }),
    ...(patch !== undefined && (hasRoomForPatch ? { patch } : { patchIsCut: true })),
  };
}
