import type { FileState } from '../../models/FileChange.js';
import { type BytePath, isText, toText } from '../bytePaths.js';
import { limitTo } from './limitTo.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { readStages } from './readRaw.js';

/** Most paths that are named to git one by one; more, and everything is listed. */
const MOST_NAMED = 100;

/** Modes and ids of files in an index; at least of these. */
export async function readStates(
  repository: OwnRepository,
  paths: readonly BytePath[] | 'all',
  { index, signal }: { readonly index: string; readonly signal: AbortSignal | undefined },
): Promise<ReadonlyMap<BytePath, FileState>> {
  // Arguments are text; a name with other bytes cannot be one.
  const isFew = paths !== 'all' && paths.length <= MOST_NAMED && paths.every(isText);
  if (isFew && paths.length === 0) return new Map();
  const named = isFew ? ['--', ...paths.map(toText)] : limitTo(repository);
  const args = ['ls-files', '-s', '-z', ...named];
  return readStages((await runInOwn(repository, { args, index, signal })).stdout);
}
