import { HuddleError } from '../../models/errors.js';
import { toHalfWidth } from '../../utils/toHalfWidth.js';
import { type FileHistory, type FileUnit, keyOf } from './fileHistory.js';

/** Units that a person means, and the words for them: `turn-4`, `4..7`, `new`, `all`. */
export interface SelectedUnits {
  readonly what: string;
  /** In the order in which they were recorded; never those of others. */
  readonly units: readonly FileUnit[];
}

/** Names of the turns and undos that a text means: `4`, `turn-4`, `4..7`, `4..`, `undo-1`, `apply-1`, `new`, `all`. */
export type UnitNames =
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'new' }
  | { readonly kind: 'all' };

const ONE = /^(?:turn-)?(\d+)$/u;
const RANGE = /^(?:turn-)?(\d+)\.\.(?:(?:turn-)?(\d+))?$/u;
const OTHER_NAME = /^(?:undo|apply)-\d+$/u;

/** Reads which changes a person means; null if the text means none. */
export function parseUnits(typed: string): UnitNames | null {
  const word = toHalfWidth(typed).trim().toLowerCase();
  if (word === 'new' || word === 'all') return { kind: word };
  if (OTHER_NAME.test(word)) return { kind: 'one', name: word };
  const [, one] = ONE.exec(word) ?? [];
  if (one !== undefined) return { kind: 'one', name: `turn-${Number(one)}` };
  const [, from, to = Number.POSITIVE_INFINITY] = RANGE.exec(word) ?? [];
  if (from === undefined || Number(from) > Number(to)) return null;
  return { kind: 'range', from: Number(from), to: Number(to) };
}

/**
 * Finds the units that a person means.
 *
 * @throws {@link HuddleError} `UNKNOWN_CHANGE` if the text means none, `FILES_NOT_RECORDED` if the turn has no record.
 */
export function selectUnits(history: FileHistory, typed: string): SelectedUnits {
  const names = parseUnits(typed) ?? (history.turns.find(typed) ? { kind: 'one', name: typed } : null);
  if (names === null) throw unknownChange(history, typed);
  if (names.kind !== 'one') return { what: typed.trim(), units: unitsIn(history, names) };
  const { name } = names;
  const units = history.units.filter((unit) => unit.names.includes(name));
  if (units.length > 0) return { what: describeNames(units), units };
  const turn = history.turns.find(name);
  if (turn === undefined) throw unknownChange(history, typed);
  throw new HuddleError('FILES_NOT_RECORDED', { what: name, isRunning: turn.result === undefined });
}

/** The newest turn that changed files, or these files, for a diff. Throws `FILES_NOT_RECORDED` if nothing was ever recorded. */
export function selectNewest({ units }: FileHistory, filter: FileFilter = () => true): SelectedUnits {
  if (units.length === 0) throw new HuddleError('FILES_NOT_RECORDED', {});
  const newest = units.findLast(({ by, files }) => by.kind === 'turns' && files.some(filter));
  return newest === undefined ? { what: '', units: [] } : { what: describeNames([newest]), units: [newest] };
}

/** The newest turn or apply in the working folder of which something is not undone, in these files. */
export function selectUndoable({ units }: FileHistory, filter: FileFilter = () => true): SelectedUnits {
  if (units.length === 0) throw new HuddleError('FILES_NOT_RECORDED', {});
  const newest = units.findLast(
    ({ by, copyOf, files, undone }) =>
      (by.kind === 'turns' || by.kind === 'apply') &&
      copyOf === undefined &&
      files.some((file) => filter(file) && !undone.has(keyOf(file))),
  );
  if (newest === undefined) throw new HuddleError('NOTHING_TO_UNDO', {});
  return { what: describeNames([newest]), units: [newest] };
}

/** `turn-4`, or `turn-4, turn-5` for turns that ran at once. */
export function describeNames(units: readonly FileUnit[]): string {
  return [...new Set(units.flatMap(({ names }) => names))].join(', ');
}

/** Units of the turns in a range, and the undos and applies between them. */
function unitsIn(
  { units, unitsBefore }: FileHistory,
  names: Exclude<UnitNames, { kind: 'one' }>,
): readonly FileUnit[] {
  const named = units.filter(({ by }) => by.kind !== 'others');
  if (names.kind === 'all') return named;
  if (names.kind === 'new') return named.filter((unit) => units.indexOf(unit) >= unitsBefore);
  const { from, to } = names;
  const isInside = (unit: FileUnit) =>
    unit.names.some((name) => {
      const number = Number(/^turn-(\d+)$/u.exec(name)?.[1]);
      return number >= from && number <= to;
    });
  const first = named.findIndex(isInside);
  if (first < 0) return [];
  const last = to === Number.POSITIVE_INFINITY ? named.length - 1 : named.findLastIndex(isInside);
  return named.slice(first, last + 1).filter((unit) => unit.by.kind !== 'turns' || isInside(unit));
}

function unknownChange({ units }: FileHistory, what: string): HuddleError {
  const changed = units.filter(({ files }) => files.length > 0).flatMap(({ names }) => names);
  return new HuddleError('UNKNOWN_CHANGE', { what, known: changed });
}

/** Chooses files by their paths. */
export type FileFilter = (file: { readonly path: string }) => boolean;

/** A filter for files that are named, or that are in a folder that is; without names for all. Paths are relative to the working folder. */
export function createFileFilter(paths: readonly string[] = []): FileFilter {
  if (paths.length === 0) return () => true;
  return ({ path }) => paths.some((named) => contains(named, path));
}

/** Requires that units changed every file that is named. Throws `UNKNOWN_FILE`. */
export function requireChanged(
  what: string,
  units: readonly FileUnit[],
  paths: readonly string[] = [],
): void {
  const known = [...new Set(units.flatMap(({ files }) => files.map(({ path }) => path)))];
  const path = paths.find((named) => !known.some((changed) => contains(named, changed)));
  if (path !== undefined) throw new HuddleError('UNKNOWN_FILE', { what, path, known });
}

/** Number of files that units changed and that are in no list. */
export function countUnlisted(units: readonly FileUnit[]): number {
  return units.reduce((sum, { unlisted = 0 }) => sum + unlisted, 0);
}

/**
 * Requires that nothing of the choice is missing in the lists: of a unit with too many files to list, only files that are
 * named themselves can be chosen, since a folder may have others. Throws `CONTENT_NOT_KEPT`.
 */
export function requireListed(what: string, units: readonly FileUnit[], paths: readonly string[] = []): void {
  const unlisted = countUnlisted(units);
  if (unlisted === 0) return;
  const listed = new Set(units.flatMap(({ files }) => files.map(({ path }) => path)));
  if (paths.length > 0 && paths.every((path) => listed.has(path))) return;
  throw new HuddleError('CONTENT_NOT_KEPT', { what, paths: [], unlisted });
}

/** Requires that Huddle itself recorded all units: what an import says of files is nobody's right to change any. Throws `CONTENT_NOT_KEPT`. */
export function requireRecordedHere(
  command: 'undo' | 'apply' | 'commit',
  { importedSeq }: FileHistory,
  { what, units }: { readonly what: string; readonly units: readonly FileUnit[] },
): void {
  if (units.some(({ seq }) => seq <= importedSeq))
    throw new HuddleError('CONTENT_NOT_KEPT', { command, what, paths: [], isImported: true });
}

/** Whether a name, of a file or a folder, covers a path. The working folder itself is `''`. */
function contains(named: string, path: string): boolean {
  const folder = named.replace(/\/+$/u, '');
  return folder === '' || folder === path || path.startsWith(`${folder}/`);
}
