import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, isText, toText } from '../paths.js';
import { limitTo, type OwnRepository, runInOwn } from './ownRepository.js';
import { readIndex, readStages } from './readIndex.js';
import { GitError } from './runGit.js';

interface UpdateIndexOptions {
  readonly index: string;
  readonly signal: AbortSignal | undefined;
  /** Hears how many files were read. */
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** Files that git cannot read, up to which the others count. More, and something else is wrong. */
const MOST_UNREADABLE = 20;
/** A file may change while git reads it. */
const TRIES = 3;

/** Reads files into an index, contents into our objects. Tells which ones git cannot read. */
export async function addFiles(
  repository: OwnRepository,
  paths: readonly BytePath[],
  options: UpdateIndexOptions,
): Promise<readonly BytePath[]> {
  const failed: BytePath[] = [];
  const add = async (some: readonly BytePath[], tries = 1): Promise<void> => {
    try {
      await updateIndex(repository, some, options);
    } catch (error) {
      const isAboutFile =
        error instanceof GitError &&
        error.reason === 'failed' &&
        /unable to process path/iu.test(error.detail);
      if (!isAboutFile || failed.length > MOST_UNREADABLE) throw error;
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2);
        await add(some.slice(0, middle));
        await add(some.slice(middle));
      } else if (tries < TRIES) await add(some, tries + 1);
      else failed.push(...some);
    }
  };
  await add(paths);
  return failed;
}

async function updateIndex(
  repository: OwnRepository,
  paths: readonly BytePath[],
  { index, signal, onProgress }: UpdateIndexOptions,
): Promise<void> {
  if (paths.length === 0) return;
  let files = 0;
  const count = (chunk: Buffer) => {
    for (const byte of chunk) if (byte === LINE_FEED) files += 1;
    onProgress?.(files);
  };
  await runInOwn(repository, {
    args: [
      ...['update-index', '-z', '--add', '--remove', '--replace'],
      ...(onProgress ? ['--verbose', '--stdin'] : ['--stdin']),
    ],
    input: paths.map((path) => `${path}\0`).join(''),
    index,
    signal,
    ...(onProgress && { onOutput: count }),
  });
}

const LINE_FEED = 10;

/** No other process has it: a git of one that was killed may still write, and must not meet ours. */
const RUN = `${process.pid}-${randomBytes(4).toString('hex')}`;

/** The state that a record has found, until the record is written down: the next record, or the next process, starts from the last. */
export function nextOf(index: string): string {
  return `${index}.next.${RUN}`;
}

/**
 * Copies an index with its time, a little earlier: git reads files again that were changed at the time of the index or later,
 * and would trust them otherwise.
 */
export function copyIndex(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const time = (Math.floor(mtimeMs) - 1) / 1000;
  utimesSync(to, time, time);
}

/** Begins the next state with the last known one: git writes a new file when it changes an index, and leaves this one alone. */
export function beginNext(index: string): void {
  const next = nextOf(index);
  rmSync(next, { force: true });
  try {
    linkSync(index, next);
  } catch {
    copyIndex(index, next); // Not every file system has links.
  }
}

/** Makes the state that was found the last known one. */
export function settleIndex(index: string): void {
  const next = nextOf(index);
  if (!existsSync(next)) return;
  renameSync(next, index);
  // It stays if it is still the same file.
  rmSync(next, { force: true });
}

/** Removes what a process that was killed has left: its gits are gone too, or write to files that nobody reads. */
export function removeLeftovers(index: string): void {
  const [folder, name] = [dirname(index), basename(index)];
  const left = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of left)
    if (file === `${name}.lock` || file.startsWith(`${name}.next`))
      rmSync(join(folder, file), { force: true });
}

interface ReadStatesOptions {
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
