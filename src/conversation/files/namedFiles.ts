import { HuddleError } from '../../models/errors.js';
import type { FileUnit } from './fileHistory.js';

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

/** Whether a name, of a file or a folder, covers a path. The working folder itself is `''`. */
function contains(named: string, path: string): boolean {
  const folder = named.replace(/\/+$/u, '');
  return folder === '' || folder === path || path.startsWith(`${folder}/`);
}
