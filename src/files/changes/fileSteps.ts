import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { GitChange } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { type FileHistory, type FileUnit, keyOf, readFileHistory } from './fileHistory.js';
import {
  createFileFilter,
  requireChanged,
  requireListed,
  requireRecordedHere,
  type SelectedUnits,
  selectUndoable,
  selectUnits,
} from './selectUnits.js';

/** Choice of changes: `4`, `4..7`, `undo-1`, `new`, `all`, and of files in them. */
export interface FileChoice {
  /** Default: the newest turn that changed files; for an undo, the newest turn or apply that is not undone. */
  readonly what?: string | undefined;
  /** Files and folders, relative to the working folder. Default: all. */
  readonly paths?: readonly string[] | undefined;
}

/** The way of one file, from one recorded state to another. */
type FileStep = Pick<FileUnit['files'][number], 'path' | 'bytes'> & {
  readonly from?: FileUnit['files'][number]['before'];
  readonly to?: FileUnit['files'][number]['before'];
};

/** Steps that undo or apply changes, and where. */
export interface FileSteps {
  readonly what: string;
  /** The units whose changes are carried, in the order in which they were recorded. */
  readonly units: readonly FileUnit[];
  /** The member in whose copy the files are; absent: in the working folder. */
  readonly copyOf?: MemberId;
  readonly steps: readonly FileStep[];
  /** Commits and branches of these units, which stay as they are. */
  readonly git: readonly GitChange[];
}

/**
 * Steps that put back what units changed, the newest first, so that what others changed in between is kept. What is undone
 * already is left out, and in a range so are undos.
 */
export function undoSteps(history: FileHistory, { what, paths }: FileChoice): FileSteps {
  const filter = createFileFilter(paths);
  const selected = what === undefined ? selectUndoable(history, filter) : selectUnits(history, what);
  requireRecordedHere('undo', history, selected);
  const isRange = selected.units.length > 1;
  const { copyOf, units } = inOnePlace(history, {
    ...selected,
    units: selected.units.filter(({ by }) => !isRange || by.kind !== 'undo'),
  });
  requireChanged(selected.what, units, paths);
  requireListed(selected.what, units, paths);
  const steps = units
    .toReversed()
    .flatMap(({ files, undone }) =>
      files
        .filter((file) => filter(file) && !undone.has(keyOf(file)))
        .map(({ path, bytes, before, after }) => ({ path, bytes, from: after, to: before })),
    );
  if (steps.length === 0) throw new HuddleError('NOTHING_TO_UNDO', { what: selected.what });
  return {
    what: selected.what,
    units,
    ...(copyOf && { copyOf }),
    steps,
    git: units.flatMap(({ git }) => git ?? []),
  };
}

/**
 * Steps that carry what turns did in their copy into the working folder, with the work of earlier turns there that they stand
 * on: a turn that a failed check sent back only mends the one before.
 */
export function applySteps(history: FileHistory, { what = '', paths }: FileChoice): FileSteps {
  const filter = createFileFilter(paths);
  const selected = selectUnits(history, what);
  requireRecordedHere('apply', history, selected);
  const chosen = selected.units.filter(({ by }) => by.kind === 'turns');
  const { copyOf } = inOnePlace(history, { ...selected, units: chosen });
  if (copyOf === undefined || chosen.length === 0)
    throw new HuddleError('NOT_A_COPY', { what: selected.what });
  requireChanged(selected.what, chosen, paths);
  const units = [...earlierWork(history, chosen), ...chosen].map((unit) => ({
    ...unit,
    files: unit.files.filter(filter),
  }));
  const carried = units.filter(({ files }) => files.length > 0);
  if (carried.length === 0) throw new HuddleError('NOTHING_TO_APPLY', { what: selected.what });
  requireListed(selected.what, carried, paths);
  const steps = carried.flatMap(({ files }) =>
    files.map(({ path, bytes, before, after }) => ({ path, bytes, from: before, to: after })),
  );
  const named =
    carried.length > chosen.length ? carried.flatMap(({ names }) => names).join(', ') : selected.what;
  return { what: named, units: carried, steps, git: [] };
}

/** Turns before these in the same copy, with the files of them that were neither undone there nor applied. */
function earlierWork({ units, importedSeq }: FileHistory, chosen: readonly FileUnit[]): readonly FileUnit[] {
  const [first] = chosen;
  if (first === undefined) return [];
  const applies = units.filter(({ by }) => by.kind === 'apply');
  const isApplied = ({ names }: FileUnit, key: string): boolean =>
    unitsOf(applies, names).some(
      ({ files, undone }) => !undone.has(key) && files.some((file) => keyOf(file) === key),
    );
  return units
    .slice(0, units.indexOf(first))
    .filter(({ by, copyOf, seq }) => by.kind === 'turns' && copyOf === first.copyOf && seq > importedSeq)
    .map((unit) => ({
      ...unit,
      files: unit.files.filter((file) => !unit.undone.has(keyOf(file)) && !isApplied(unit, keyOf(file))),
    }));
}

/** The applies of turns with one of these names. */
function unitsOf(applies: readonly FileUnit[], names: readonly string[]): readonly FileUnit[] {
  return applies.filter(({ by }) => by.kind === 'apply' && by.of.some((name) => names.includes(name)));
}

/** Units that are in one folder: the working folder if any is, else one copy. */
function inOnePlace({ members }: FileHistory, { units }: SelectedUnits): Pick<FileSteps, 'units' | 'copyOf'> {
  const here = units.filter(({ copyOf }) => copyOf === undefined);
  if (here.length > 0 || units.length === 0) return { units: here };
  const copies = [...new Set(units.flatMap(({ copyOf }) => copyOf ?? []))];
  const [copyOf] = copies;
  if (copies.length > 1 || copyOf === undefined) {
    const names = copies.map((id) => members.find((member) => member.id === id)?.name ?? id);
    throw new HuddleError('SEVERAL_COPIES', { members: names });
  }
  return { units, copyOf };
}

/**
 * Finds what to give to `undo`, in order, to put back everything that was changed in the working folder after a place in the
 * log. One range where that is exactly it; turns may run in another order than that of their numbers.
 */
export async function findChangedSince(
  events: AnyIterable<RecordedEvent>,
  seq: number,
): Promise<readonly string[]> {
  let before = 0;
  const counted = async function* () {
    for await (const event of events) {
      if (event.type === 'files-recorded' && event.seq <= seq) before++;
      yield event;
    }
  };
  const { units } = await readFileHistory(counted());
  const later = units.slice(before).filter(isLeft);
  const first = Math.min(...later.flatMap(numbersOf));
  const isRange = !units
    .slice(0, before)
    .filter(isLeft)
    .flatMap(numbersOf)
    .some((number) => number >= first);
  if (later.length === 0) return [];
  return isRange ? [`${first}..`] : later.toReversed().flatMap(({ names }) => names[0] ?? []);
}

/** Whether a turn changed something in the working folder that is still there. */
function isLeft({ by, copyOf, files, undone }: FileUnit): boolean {
  return by.kind === 'turns' && copyOf === undefined && files.some((file) => !undone.has(keyOf(file)));
}

function numbersOf({ names }: FileUnit): number[] {
  return names.map((name) => Number(/^turn-(\d+)$/u.exec(name)?.[1]));
}
