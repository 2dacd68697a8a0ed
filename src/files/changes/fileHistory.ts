import { TurnIndex } from '../../conversation/turnIndex.js';
import type { ConversationFact, FilesRecorded, MemberSummary } from '../../models/ConversationEvent.js';
import type { FileChange } from '../../models/FileChange.js';
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
  const units: ChangingUnit[] = [];
  const turns = new TurnIndex();
  let members: readonly MemberSummary[] = [];
  let unitsBefore = 0;
  let importedSeq = restoredSeq;
  let seq = 0;
  for await (const event of events) {
    seq++;
    turns.note(event);
    if (event.type === 'conversation-start') members = event.team.members;
    else if (event.type === 'message-added' && event.message.speaker.type === 'human')
      unitsBefore = units.length;
    else if (event.type === 'files-recorded') addUnit(units, event, turns, seq);
    else if (event.type === 'conversation-forked' && seq > restoredSeq) importedSeq = event.importedUpTo ?? 0;
  }
  return { members, units, unitsBefore, importedSeq, turns };
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

/** The name for the next undo or apply. */
export function nextUnitName({ units }: Pick<FileHistory, 'units'>, kind: 'undo' | 'apply'): string {
  return `${kind}-${units.filter(({ by }) => by.kind === kind).length + 1}`;
}

interface ChangingUnit extends FileUnit {
  readonly undone: Set<string>;
}

function addUnit(
  units: ChangingUnit[],
  { type: _, ...record }: FilesRecorded,
  turns: TurnIndex,
  seq: number,
): void {
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
