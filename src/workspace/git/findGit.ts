import { delimiter } from 'node:path';
import { findCommand, foldersOutside } from '../../utils/findCommand.js';
import { type Git, GitError, runGit } from './runGit.js';

/** The oldest git that does everything needed here. */
const OLDEST: readonly [major: number, minor: number] = [2, 34];
/** Time that a git has to say its version. */
const VERSION_MS = 10_000;

export type GitLookup =
  | { readonly kind: 'found'; readonly git: Git }
  | { readonly kind: 'missing' }
  | { readonly kind: 'old'; readonly version: string }
  /** It does not even say its version; `detail` has its words. */
  | { readonly kind: 'broken'; readonly detail: string };

/** Finds the user's git, as programs of agents are found. Its own look-ups do not lead into the project either. */
export async function findGit(
  path: string | undefined,
  workingFolder = '/',
  { milliseconds = VERSION_MS } = {},
): Promise<GitLookup> {
  const folders = foldersOutside({ path, workingFolder }).join(delimiter);
  const lookup = findCommand('git', { path: folders, workingFolder });
  if (lookup.kind !== 'found') return { kind: 'missing' };
  const git = { file: lookup.file, version: '', path: folders };
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
