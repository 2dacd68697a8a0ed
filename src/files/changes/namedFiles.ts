import { HuddleError } from '../../models/errors.js';
import type { FileHistory, FileUnit } from './fileHistory.js';

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
