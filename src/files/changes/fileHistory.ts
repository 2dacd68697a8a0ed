import { TurnIndex } from '../../conversation/turnIndex.js';
import type { ConversationFact, FilesRecorded, MemberSummary } from '../../models/ConversationEvent.js';
import type { FileChange, FileState } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';

/** A record of changed files: of a turn, of turns that ran at once, of an undo, of an apply, or of others between turns. */
export interface FileUnit extends Omit<FilesRecorded, 'type'> {
  /** Number of its event. */
  readonly seq: number;
  /** Names for people: `turn-4`, `undo-1`, `apply-1`. None: others. Several: turns that ran at once in one folder. */
  readonly names: readonly string[];
  /** Members whose turns these were, or the person who undid or applied. */
  readonly memberIds: readonly MemberId[];
  /** Keys of the files whose change was put back and is not there again; see `keyOf`. */
  readonly undone: ReadonlySet<string>;
}

/** Everything a log tells of changed files. */
export interface FileHistory {
  readonly members: readonly MemberSummary[];
  /** In the order in which they were recorded. */
  readonly units: readonly FileUnit[];
  /** Number of units before a person last spoke. */
  readonly unitsBefore: number;
  /** Events up to this number came with an import: they tell what others say of files elsewhere. */
  readonly importedSeq: number;
  readonly turns: TurnIndex;
}

/** Identifies a file among others: names that are not UTF-8 may have the same `path`. */
export function keyOf({ path, bytes }: Pick<FileChange, 'path' | 'bytes'>): string {
  return bytes === undefined ? path : `\0${bytes}`;
}

/**
 * Folds a whole log into its history of files.
 *
 * @param restoredSeq The last event that was restored, not appended: by a fork made here, which says so itself, or by an import.
 */
export async function readFileHistory(
  events: AnyIterable<ConversationFact>,
  restoredSeq = 0,
): Promise<FileHistory> {
  const history: ChangingHistory = {
    members: [],
    units: [],
    unitsBefore: 0,
    importedSeq: restoredSeq,
    turns: new TurnIndex(),
    seq: 0,
    restoredSeq,
  };
  for await (const event of events) noteFact(history, event);
  return history;
}

/** Brings a history up to a fact that was recorded after it was read. */
export function followHistory(history: FileHistory, fact: ConversationFact): void {
  noteFact(history as ChangingHistory, fact);
}

function noteFact(history: ChangingHistory, fact: ConversationFact): void {
  history.seq++;
  history.turns.note(fact);
  if (fact.type === 'conversation-start') history.members = fact.team.members;
  else if (fact.type === 'message-added' && fact.message.speaker.type === 'human')
    history.unitsBefore = history.units.length;
  else if (fact.type === 'files-recorded') addUnit(history, fact);
  else if (fact.type === 'conversation-forked' && history.seq > history.restoredSeq)
    history.importedSeq = fact.importedUpTo ?? 0;
}

/** Units that have one of these names, in the order in which they were recorded. */
export function unitsNamed<Unit extends Pick<FileUnit, 'names'>>(
  units: readonly Unit[],
  names: readonly string[],
): readonly Unit[] {
  return units.filter((unit) => unit.names.some((name) => names.includes(name)));
}

/** The last unit after another that changed a file in the same folder. */
export function findLaterChange(
  { units }: Pick<FileHistory, 'units'>,
  unit: FileUnit,
  key: string,
): FileUnit | undefined {
  return units
    .slice(units.indexOf(unit) + 1)
    .findLast((later) => later.copyOf === unit.copyOf && later.files.some((file) => keyOf(file) === key));
}

/** Describes who made the changes of a unit, and its name; nothing of others, between turns. */
export function describeAuthor(
  history: FileHistory,
  unit: FileUnit | undefined,
): { readonly by?: string; readonly unit?: string } {
  if (unit === undefined || unit.by.kind === 'others') return {};
  return { by: memberNames(history, unit.memberIds).join(', '), unit: unit.names.join(', ') };
}

/** The names of members; of one that is not known, its id. */
export function memberNames({ members }: FileHistory, ids: readonly MemberId[]): readonly string[] {
  return ids.map((memberId) => members.find(({ id }) => id === memberId)?.name ?? memberId);
}

/** `4` for `turn-4`; any other name as it is. */
export function shortName(name: string): string {
  return name.replace(/^turn-(?=\d+$)/u, '');
}

/** The name for the next undo or apply. */
export function nextUnitName({ units }: Pick<FileHistory, 'units'>, kind: 'undo' | 'apply'): string {
  return `${kind}-${units.filter(({ by }) => by.kind === kind).length + 1}`;
}

interface ChangingUnit extends FileUnit {
  readonly undone: Set<string>;
}

interface ChangingHistory extends FileHistory {
  members: readonly MemberSummary[];
  readonly units: ChangingUnit[];
  unitsBefore: number;
  importedSeq: number;
  /** Number of the last event. */
  seq: number;
  readonly restoredSeq: number;
}

function addUnit({ units, turns, seq }: ChangingHistory, { type: _, ...record }: FilesRecorded): void {
  const { by, files } = record;
  if (by.kind === 'undo')
    for (const target of unitsNamed(units, by.of))
      for (const file of files) markUndone(units, target, keyOf(file), true);
  units.push({ ...record, seq, names: namesOf(by), memberIds: membersOf(by, turns), undone: new Set() });
}

/** Marks what was put back. With an undo that is put back itself, what it undid is there again. */
function markUndone(
  units: readonly ChangingUnit[],
  unit: ChangingUnit,
  key: string,
  isUndone: boolean,
): void {
  const { by, files, undone } = unit;
  if (!files.some((file) => keyOf(file) === key)) return;
  if (isUndone) undone.add(key);
  else undone.delete(key);
  if (by.kind === 'undo')
    for (const target of unitsNamed(units.slice(0, units.indexOf(unit)), by.of))
      markUndone(units, target, key, !isUndone);
}

function namesOf(by: FilesRecorded['by']): readonly string[] {
  if (by.kind === 'turns') return by.turnIds;
  return by.kind === 'others' ? [] : [by.id];
}

function membersOf(by: FilesRecorded['by'], turns: TurnIndex): readonly MemberId[] {
  if (by.kind === 'turns')
    return [...new Set(by.turnIds.flatMap((turnId) => turns.find(turnId)?.memberId ?? []))];
  return by.kind === 'others' ? [] : [by.memberId];
}

/**
 * Joins the changes of several units into rounds, each with a file at most once. What units did to a file one after the other
 * is one change, unless others changed it in between: then the next round begins for it. Files that end as they began are left out.
 */
export function joinChanges(units: readonly FileUnit[]): readonly (readonly FileChange[])[] {
  const chains = new Map<string, FileChange[]>();
  for (const file of units.flatMap(({ files }) => files)) {
    const chain = chains.get(keyOf(file)) ?? [];
    const last = chain.at(-1);
    if (last !== undefined && isSameState(last.after, file.before)) chain.splice(-1, 1, join(last, file));
    else chain.push(file);
    chains.set(keyOf(file), chain);
  }
  const changes = [...chains.values()].map((chain) =>
    chain.filter(({ before, after }) => !isSameState(before, after)),
  );
  const rounds = Math.max(0, ...changes.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => changes.flatMap((chain) => chain[round] ?? []));
}

/** Whether a file has the same content and mode at two moments, or is missing at both. */
export function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

/** Joins two changes into one, without the numbers of lines, which cannot be added up. */
function join({ before, ...first }: FileChange, { after, ...second }: FileChange): FileChange {
  const { path, bytes } = first;
  const change = before === undefined ? 'add' : after === undefined ? 'delete' : 'update';
  return {
    path,
    ...(bytes !== undefined && { bytes }),
    change,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...((first.isBinary || second.isBinary) && { isBinary: true }),
    ...((first.isKept === false || second.isKept === false) && { isKept: false as const }),
  };
}
