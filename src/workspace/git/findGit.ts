import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { type Git, runGit } from './runGit.js';

/** The oldest git that does everything needed here. */
const OLDEST: readonly [major: number, minor: number] = [2, 34];
const DEFAULT_PATH = '/usr/bin:/bin';

export type GitLookup =
  | { readonly kind: 'found'; readonly git: Git }
  | { readonly kind: 'missing' }
  | { readonly kind: 'old'; readonly version: string };

/**
 * Finds the user's git. Entries of PATH that are relative or inside the folder that is worked in are passed over: they
 * would let the project choose what is run.
 */
export async function findGit(path = DEFAULT_PATH, workingFolder?: string): Promise<GitLookup> {
  const folders = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isIn(folder, workingFolder));
  const file = folders.map((folder) => join(folder, 'git')).find(isProgram);
  if (file === undefined) return { kind: 'missing' };
  const git = { file, version: '', path: folders.join(delimiter) };
  const { stdout } = await runGit(git, { args: ['--version'] });
  const [version = '', major, minor] = /(\d+)\.(\d+)[\w.]*/u.exec(stdout) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld || version === '' ? { kind: 'old', version } : { kind: 'found', git: { ...git, version } };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Not there, or not for us: the next entry of PATH is asked.
  }
}

function isIn(folder: string, outer: string | undefined): boolean {
  if (outer === undefined || dirname(outer) === outer) return false;
  try {
    return `${realpathSync(folder)}${sep}`.startsWith(outer + sep);
  } catch {
    return false; // It is not there, so nothing is found in it.
  }
}
