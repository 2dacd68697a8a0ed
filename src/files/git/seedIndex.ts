import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BytePath, readJson } from '../paths.js';
import { nameKept } from './keepContents.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { type IndexEntry, readIndex, splitAtNull } from './readIndex.js';
import { GitError } from './runGit.js';
import { copyIndex, nextOf } from './updateIndex.js';

/** Attributes with which the bytes in the folder are not those that git has. */
const CHANGING = ['filter', 'ident', 'working-tree-encoding'];

/**
 * Takes over the state that another conversation left of the folder last, if the user's index is not newer and no rule hides
 * anything in it. Names what it keeps. Tells whether there is such a state.
 */
export async function seedFromOwn(
  repository: OwnRepository,
  kept: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { gitFolder, user, keptObjects, format } = repository;
  const newest = readdirSync(gitFolder)
    .filter((name) => OWN_INDEX.test(name))
    .map((name) => ({ name, file: join(gitFolder, name), time: statSync(join(gitFolder, name)).mtimeMs }))
    .sort((one, other) => other.time - one.time)[0];
  const usersTime = user && statSync(join(user.gitFolder, 'index'), { throwIfNoEntry: false })?.mtimeMs;
  if (newest === undefined || keptObjects !== undefined || newest.time < (usersTime ?? 0)) return false;
  const state = readJson<{ readonly isPassing?: boolean }>(`${newest.file}.json`);
  if (state === undefined || state.isPassing) return false;
  const next = nextOf(repository.index);
  copyIndex(newest.file, next);
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const hidden = await runInOwn(repository, { args, index: next, signal });
  const entries = hidden.stdout === '' ? readIndex(readFileSync(next), format) : undefined;
  if (entries === undefined) {
    rmSync(next, { force: true });
    return false;
  }
  const known = new Set(readIfThere(join(dirname(kept), newest.name.slice(OWN_PREFIX.length))).split('\n'));
  nameKept(
    kept,
    entries.map(({ id }) => id).filter((id) => known.has(id)),
  );
  return true;
}

const OWN_PREFIX = 'index-';
/** The last known state of a conversation; what lies beside it has an ending. */
const OWN_INDEX = /^index-[^.]+$/u;

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'latin1') : '';
}

/**
 * Takes over the user's index as the state to start from, so that files that the user's git knows need not be read: without
 * the entries that would not say what is in the folder. Tells whether there is such a state now.
 */
export async function seedIndex(
  repository: OwnRepository,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { user, index, prefix } = repository;
  if (user === undefined) return false;
  const source = join(user.gitFolder, 'index');
  const entries = readEntries(source, repository);
  if (entries === undefined) return false;
  const next = nextOf(index);
  try {
    copyIndex(source, next);
    const own = entries.filter(({ path }) => path.startsWith(prefix));
    const plain = own.filter(({ isPlain }) => isPlain);
    const [lengths, changing] = await Promise.all([
      readLengths(repository, plain, signal),
      findChanging(repository, plain, signal),
    ]);
    const isTrue = ({ id, path, size, isPlain }: IndexEntry) =>
      isPlain && lengths.get(id) === size && !changing.has(path);
    await forgetPaths(
      repository,
      next,
      new Set(own.filter((entry) => !isTrue(entry)).map(({ path }) => path)),
      signal,
    );
    return true;
  } catch (error) {
    rmSync(next, { force: true });
    if (error instanceof GitError && error.reason === 'failed') return false;
    throw error;
  }
}

function readEntries(file: string, { format }: OwnRepository): IndexEntry[] | undefined {
  try {
    return readIndex(readFileSync(file), format);
  } catch {
    return undefined; // There is none yet, or it is not for us to read: then every file is.
  }
}

/** Lengths of the user's contents; those that are not there, as in a partial clone, are missing. */
async function readLengths(
  repository: OwnRepository,
  entries: readonly IndexEntry[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(entries.map(({ id }) => id));
  const { stdout } = await runInOwn(repository, {
    args: ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'],
    input: [...ids, ''].join('\n'),
    withUserObjects: true,
    signal,
  });
  const lengths = stdout.split('\n').map((line) => line.split(' '));
  return new Map(lengths.map(([id = '', size = '']) => [id, Number(size)]));
}

/** Files of which the project's own attributes say that git changes their bytes. */
async function findChanging(
  repository: OwnRepository,
  entries: readonly IndexEntry[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<BytePath>> {
  const { stdout } = await runInOwn(repository, {
    args: ['check-attr', '-z', '--stdin', ...CHANGING],
    input: entries.map(({ path }) => `${path}\0`).join(''),
    index: nextOf(repository.index),
    gitFolder: repository.plainFolder,
    signal,
  });
  const fields = splitAtNull(stdout);
  const changing = new Set<BytePath>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    if (!/^(?:unspecified|unset)$/u.test(fields[index + 2] ?? '')) changing.add(fields[index] ?? '');
  }
  return changing;
}

/** Takes paths out of an index. */
export async function forgetPaths(
  repository: OwnRepository,
  index: string,
  paths: Iterable<BytePath>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const none = '0'.repeat(repository.format === 'sha1' ? 40 : 64);
  const input = Array.from(paths, (path) => `0 ${none}\t${path}\0`).join('');
  if (input === '') return;
  await runInOwn(repository, { args: ['update-index', '-z', '--index-info'], input, index, signal });
}
