import { type BigIntStats, lstatSync } from 'node:fs';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, fromText, isText, toBytes, toText } from '../bytePaths.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { OWN_FOLDER } from './ownSettings.js';
import { readRaw, readStages, splitAtNull } from './readRaw.js';

/** A change between two records; the path is relative to the working folder. */
export interface ByteChange {
  readonly path: BytePath;
  readonly before?: FileState;
  readonly after?: FileState;
  readonly isKept?: false;
}

export interface RecordFolderOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Most paths that are named to git one by one; more, and everything is listed. */
const MOST_NAMED = 100;

/** Brings the index up to what is in the folder, and tells what differed. */
export async function recordFolder(
  repository: OwnRepository,
  { signal }: RecordFolderOptions = {},
): Promise<ByteChange[]> {
  const { prefix } = repository;
  const limit = prefix === '' ? [] : ['--', toText(prefix.slice(0, -1))];
  const [differing, others] = await Promise.all([
    runInOwn(repository, {
      args: ['diff-files', '--raw', '-z', '--ignore-submodules=all', ...limit],
      signal,
    }),
    runInOwn(repository, { args: ['ls-files', '-z', '--others', '--exclude-standard', ...limit], signal }),
  ]);
  const known = readRaw(differing.stdout);
  const before = new Map(known.map((entry) => [entry.path, entry.before]));
  // A path beyond a link is gone, although something can be seen there.
  const gone = known.filter(({ isGone }) => isGone).map(({ path }) => path);
  const there: BytePath[] = [];
  const seen = known.filter(({ isGone }) => !isGone).map(({ path }) => path);
  for (const path of [...seen, ...splitAtNull(others.stdout)]) {
    if (path.endsWith('/') || OWN_FOLDER.test(path.slice(prefix.length))) continue;
    (isRecordable(look(repository, path)) ? there : gone).push(path);
  }
  if (gone.length === 0 && there.length === 0) return [];
  await updateIndex(repository, gone, there, signal);
  const after = await readStates(repository, there, limit, signal);
  return [...gone, ...there]
    .map((path) => describeChange(path.slice(prefix.length), before.get(path), after.get(path)))
    .filter((change) => change !== undefined)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Takes the gone out first, so that a file may stand where a folder was, and the other way round. */
async function updateIndex(
  repository: OwnRepository,
  gone: readonly BytePath[],
  there: readonly BytePath[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (gone.length > 0) {
    const none = '0'.repeat(repository.format === 'sha1' ? 40 : 64);
    const input = gone.map((path) => `0 ${none}\t${path}\0`).join('');
    await runInOwn(repository, { args: ['update-index', '-z', '--index-info'], input, signal });
  }
  if (there.length > 0) {
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    await runInOwn(repository, { args, input: there.map((path) => `${path}\0`).join(''), signal });
  }
}

async function readStates(
  repository: OwnRepository,
  paths: readonly BytePath[],
  limit: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<BytePath, FileState>> {
  // Arguments are text; a name with other bytes cannot be one.
  const isFew = paths.length <= MOST_NAMED && paths.every(isText);
  const named = isFew ? ['--', ...paths.map(toText)] : limit;
  return readStages(
    (await runInOwn(repository, { args: ['ls-files', '-s', '-z', ...named], signal })).stdout,
  );
}

function describeChange(
  path: BytePath,
  before: FileState | undefined,
  after: FileState | undefined,
): ByteChange | undefined {
  if (before?.id === after?.id && before?.mode === after?.mode) return undefined;
  return { path, ...(before && { before }), ...(after && { after }) };
}

function isRecordable(stats: BigIntStats | undefined): boolean {
  return stats !== undefined && (stats.isFile() || stats.isSymbolicLink());
}

function look({ top }: OwnRepository, path: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(toBytes(`${fromText(top)}/${path}`), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // Below a file or a loop of links there is nothing.
  }
}
