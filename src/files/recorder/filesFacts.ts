import { sep } from 'node:path';
import type { ConversationState } from '../../conversation/ConversationState.js';
import type { AskedChange } from '../../conversation/recording.js';
import { findAgentType } from '../../models/AgentConfig.js';
import type { ConversationFact, FilesRecorded, Notice, PauseReason } from '../../models/ConversationEvent.js';
import type { ChangedBy, NotRecorded } from '../../models/FileChange.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import type { AgentMember, FileSettings, Team } from '../../models/Team.js';
import type { FilePlace, MarkedTurn, NotRecordedResult, RecordedFolder } from '../Workspace.js';
import { queueChecks } from './queueChecks.js';

/** A turn that a record is of. */
interface RecordedTurn {
  readonly turnId: TurnId;
  /** Undefined: it has left the team. */
  readonly member: AgentMember | undefined;
  /** Files that the agent itself named. */
  readonly reported: ReadonlySet<string>;
  /** Changes that it asked for and was allowed to make. */
  readonly allowed: readonly AskedChange[];
}

/** Circumstances of a record of turns. */
interface TurnsRecord extends FilePlace {
  /** All that worked in the folder in the time of the record. */
  readonly turns: readonly RecordedTurn[];
  /** The time of the record ends later than the turns. */
  readonly isLate?: boolean;
  /** Turns of other processes that worked there at the same time. */
  readonly overlaps?: readonly string[];
}

/** As many files as a notice names. */
const NAMED_FILES = 5;

/** The record of turns, and all that follows from it where the team is there. */
export function concludeRecord(
  found: RecordedFolder,
  record: TurnsRecord,
  team: Team | undefined,
  state: ConversationState,
): ConversationFact[] {
  const fact = makeRecordOfTurns(found, record);
  if (team === undefined) return [fact];
  const readers = noteReaders(fact, record);
  return [
    fact,
    ...readers,
    ...noteGitFiles(fact),
    ...queueChecks(fact, team, state),
    ...pauseForReader(readers, team.files, state.pause),
  ];
}

/** The fact of a record. */
export function makeRecord(
  { kind: _, ...fields }: RecordedFolder,
  by: ChangedBy,
  { copyOf }: FilePlace,
): FilesRecorded {
  const files = [...fields.files];
  return { type: 'files-recorded', ...fields, files, by, ...(copyOf !== undefined && { copyOf }) };
}

/** The fact of changes between turns. None if nothing changed. */
export function makeRecordOfOthers(found: RecordedFolder, place: FilePlace): FilesRecorded[] {
  if (found.files.length === 0) return [];
  return [makeRecord(found, { kind: 'others' }, place)];
}

function makeRecordOfTurns(
  found: RecordedFolder,
  { turns, copyOf, isLate = false, overlaps = [] }: TurnsRecord,
): FilesRecorded {
  const isReported = (path: string): boolean => turns.some(({ reported }) => reported.has(path));
  const by: ChangedBy = { kind: 'turns', turnIds: turns.map(({ turnId }) => turnId) };
  const files = found.files.map((file) => (isReported(file.path) ? { ...file, isReported: true } : file));
  return {
    ...makeRecord({ ...found, files }, by, { copyOf }),
    ...(isLate && { isLate }),
    ...(overlaps.length > 0 && { overlaps: [...new Set(overlaps)] }),
  };
}

/** Names the files that changed in turns of members that may only read, but for those that such a turn was allowed to change. */
function noteReaders({ files, unlisted = 0 }: FilesRecorded, record: TurnsRecord): ReaderNotice[] {
  const { turns, isLate = false } = record;
  // Who edited is unknown as soon as one was there who may.
  const isSure = !isLate && turns.every(({ member }) => member !== undefined && mayOnlyRead(member));
  const paths = files.map(({ path }) => path);
  const unexplained = paths.filter((path) => !turns.some(({ allowed }) => isAllowed(path, allowed)));
  return turns.flatMap(({ turnId, member, reported, allowed }) => {
    if (member === undefined || !mayOnlyRead(member)) return [];
    const own = paths.filter((path) => reported.has(path) && !isAllowed(path, allowed));
    const rest = isSure ? unexplained.filter((path) => !reported.has(path)) : [];
    const notice = { type: 'notice', code: 'reader-changed-files', memberId: member.id, turnId } as const;
    return [
      ...(own.length > 0 ? [{ ...notice, ...somePaths(own), isReported: true }] : []),
      ...(rest.length > 0 ? [{ ...notice, ...somePaths(rest, unlisted), isReported: false }] : []),
    ];
  });
}

function isAllowed(path: string, allowed: readonly AskedChange[]): boolean {
  return allowed.some(({ paths, isWhole }) =>
    paths.some((named) => {
      const file = named.split(sep).join('/');
      return path === file || (isWhole && path.startsWith(`${file}/`));
    }),
  );
}

type ReaderNotice = Extract<Notice, { code: 'reader-changed-files' }>;

/** A command is told nothing of its permission, so it is not judged by it. */
function mayOnlyRead({ permission, agentType }: AgentMember): boolean {
  const { keepsToPermission = false, isAcp = false } = findAgentType(agentType) ?? {};
  return permission === 'read' && (keepsToPermission || isAcp);
}

/** The pause that the team file wants after a reader changed files, unless there is one. */
function pauseForReader(
  [reader]: readonly ReaderNotice[],
  { readers = 'report' }: FileSettings = {},
  pause: PauseReason | null,
): ConversationFact[] {
  if (reader === undefined || readers !== 'pause' || pause !== null) return [];
  const { memberId, turnId } = reader;
  return [{ type: 'conversation-pause', reason: { kind: 'reader', memberId, turnId } }];
}

/** Warns of changes in the user's repository that can run programs or hide files. A copy has a repository of its own. */
function noteGitFiles({ by, copyOf, git }: FilesRecorded): Notice[] {
  const { files = [], isGone = false } = git ?? {};
  if (by.kind !== 'turns' || copyOf !== undefined || (files.length === 0 && !isGone)) return [];
  const { turnIds } = by;
  return [
    {
      type: 'notice',
      code: 'git-files-changed',
      turnIds,
      ...somePaths(files),
      ...(isGone && { isGone }),
    },
  ];
}

/** Says why nothing was recorded, once for each reason. */
export function noteNotRecorded(
  { reason: found, detail, isFinal }: NotRecordedResult,
  known: readonly NotRecorded[],
): Notice[] {
  // One slow look is no reason to stop: people are told when nothing more is recorded.
  const reason = found === 'too-slow' && !isFinal ? 'failed' : found;
  if (known.includes(reason)) return [];
  return [{ type: 'notice', code: 'files-not-recorded', reason, ...(detail !== undefined && { detail }) }];
}

/** Names the files in which a copy could not be brought up to date. */
export function noteBehind(
  { turnId, copyOf }: { readonly turnId: TurnId; readonly copyOf: MemberId },
  paths: readonly string[],
): Notice[] {
  if (paths.length === 0) return [];
  return [{ type: 'notice', code: 'copy-behind', memberId: copyOf, turnId, ...somePaths(paths) }];
}

/** Says that another process works in the folder too. */
export function noteShared({ turn, pid }: MarkedTurn): Notice {
  return { type: 'notice', code: 'folder-shared', turn, pid };
}

function somePaths(paths: readonly string[], unlisted = 0): { paths: string[]; more?: number } {
  const more = Math.max(0, paths.length - NAMED_FILES) + unlisted;
  return { paths: paths.slice(0, NAMED_FILES), ...(more > 0 && { more }) };
}

/** The records of what a person did, and of what others changed meanwhile. */
export function makeRecordsOfAction(
  { others, ...own }: RecordedFolder,
  by: ChangedBy,
  place: FilePlace,
): FilesRecorded[] {
  return [makeRecord(own, by, place), ...(others === undefined ? [] : makeRecordOfOthers(others, place))];
}
