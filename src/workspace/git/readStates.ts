import { readFileSync, statSync } from 'node:fs';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, isText, toText } from '../bytePaths.js';
import { limitTo } from './limitTo.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { readIndex } from './readIndex.js';
import { readStages } from './readRaw.js';

export interface ReadStatesOptions {
  readonly index: string;
  readonly signal: AbortSignal | undefined;
}

/** Length up to which an index is read faster here than by a git that has to be started. */
const SMALL_INDEX = 2 * 1024 * 1024;
/** Most paths that are named to git one by one; more, and everything is listed. */
const MOST_NAMED = 100;

/** Modes and ids of files in an index; at least of these. */
export async function readStates(
  repository: OwnRepository,
  paths: readonly BytePath[] | 'all',
  { index, signal }: ReadStatesOptions,
): Promise<ReadonlyMap<BytePath, FileState>> {
  const size = statSync(index, { throwIfNoEntry: false })?.size;
  if (size === undefined || paths.length === 0) return new Map();
  const wanted = paths === 'all' ? undefined : new Set(paths);
  const entries = size > SMALL_INDEX ? undefined : readIndex(readFileSync(index), repository.format, wanted);
  if (entries !== undefined) {
    const own = entries.filter(({ path }) => path.startsWith(repository.prefix));
    return new Map(own.map(({ path, mode, id }) => [path, { mode, id }]));
  }
  // Arguments are text; a name with other bytes cannot be one.
  const isFew = paths !== 'all' && paths.length <= MOST_NAMED && paths.every(isText);
  const named = isFew ? ['--', ...paths.map(toText)] : limitTo(repository);
  const args = ['ls-files', '-s', '-z', ...named];
  return readStages((await runInOwn(repository, { args, index, signal })).stdout);
}
