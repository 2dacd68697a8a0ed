import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { type Git, GitError, runGit } from './runGit.js';

/** The oldest git that does everything needed here. */
const OLDEST: readonly [major: number, minor: number] = [2, 34];
/** Time that a git has to say its version. */
const VERSION_MS = 10_000;
const DEFAULT_PATH = '/usr/bin:/bin';

export type GitLookup =
  | { readonly kind: 'found'; readonly git: Git }
  | { readonly kind: 'missing' }
  | { readonly kind: 'old'; readonly version: string }
  /** It does not even say its version; `detail` has its words. */
  | { readonly kind: 'broken'; readonly detail: string };

/**
 * Finds the user's git. Entries of PATH that are relative or inside the folder that is worked in are passed over: they
 * would let the project choose what is run.
 */
export async function findGit(
  path = DEFAULT_PATH,
  workingFolder?: string,
  { milliseconds = VERSION_MS } = {},
): Promise<GitLookup> {
  const folders = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isIn(folder, workingFolder));
  const file = folders.map((folder) => join(folder, 'git')).find(isProgram);
  if (file === undefined) return { kind: 'missing' };
  const git = { file, version: '', path: folders.join(delimiter) };
  const answer = await askVersion(git, milliseconds);
  if (answer instanceof GitError) return { kind: 'broken', detail: answer.detail };
  const [version = '', major, minor] = /(\d+)\.(\d+)[\w.]*/u.exec(answer) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld || version === '' ? { kind: 'old', version } : { kind: 'found', git: { ...git, version } };
}

async function askVersion(git: Git, milliseconds: number): Promise<string | GitError> {
  const clock = AbortSignal.timeout(milliseconds);
  try {
    return (await runGit(git, { args: ['--version'], signal: clock })).stdout;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (!clock.aborted) return error;
    return new GitError('failed', `git --version did not finish in ${milliseconds / 1000} s`);
  }
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
