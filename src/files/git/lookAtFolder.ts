import { accessSync, type BigIntStats, constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, fromText, toBytes } from '../paths.js';
import { limitTo, type OwnRepository, runInOwn } from './ownRepository.js';
import { readRaw, readStages, splitAtNull } from './readIndex.js';
import { GitError } from './runGit.js';
import { OWN_FOLDER } from './settings.js';
import { readStates } from './updateIndex.js';

/** Files that may differ from a known state. Paths are from the top of the repository. */
export interface FolderLook {
  /** States of those that are known. */
  readonly before: ReadonlyMap<BytePath, FileState>;
  readonly gone: readonly BytePath[];
  readonly there: readonly LookedAt[];
  /** There, but too large or not readable. */
  readonly aside: readonly LookedAt[];
  /** Folders with repositories of their own. */
  readonly nested: readonly BytePath[];
  /** Among those that are there: git believes that they are as they were. */
  readonly doubted: readonly BytePath[];
}

interface LookOptions {
  readonly index: string;
  readonly aside: AsideFiles;
  readonly recent: RecentFiles;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The output of a comparison with no state at all. */
const NOTHING_KNOWN = { stdout: '', stderr: '' };

/** Compares a folder with a known state by what the system says of its files, without reading them. */
export async function lookAtFolder(repository: OwnRepository, options: LookOptions): Promise<FolderLook> {
  const { index, aside: known, recent, maxFileBytes, signal } = options;
  const limit = limitTo(repository);
  const run = (args: readonly string[]) => runInOwn(repository, { args: [...args, ...limit], index, signal });
  const [{ stdout, stderr }, untracked] = await Promise.all([
    existsSync(index) ? run(['diff-files', '--raw', '-z', '--ignore-submodules=all']) : NOTHING_KNOWN,
    run(['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const entries = readRaw(stdout);
  // A path beyond a link is gone, although something can be seen there.
  const gone = entries.filter(({ isGone }) => isGone).map(({ path }) => path);
  const before = new Map(entries.map((entry) => [entry.path, entry.before]));
  if (stderr !== '') {
    const lost = await findPassedOver(repository, before, await run(['ls-files', '-s', '-z']));
    for (const [path, state] of lost) before.set(path, state);
    gone.push(...lost.keys());
  }
  const doubted = [...recent.values()].flatMap(({ path, stats }) => {
    const now = before.has(path) ? undefined : look(repository, path);
    return now === undefined || signatureOf(now) === signatureOf(stats) ? [] : [path];
  });
  for (const [path, state] of await readStates(repository, doubted, { index, signal })) {
    if (doubted.includes(path)) before.set(path, state);
  }
  const others = splitAtNull(untracked.stdout);
  const seen = entries.filter(({ isGone }) => !isGone).map(({ path }) => path);
  const listed = new Set(others);
  const hidden = [...known.keys()].filter((path) => !listed.has(path));
  gone.push(...hidden.filter((path) => isBeyondLink(repository, path)));
  const there: LookedAt[] = [];
  const aside: LookedAt[] = [];
  for (const path of [...seen, ...doubted, ...others, ...hidden.filter((path) => !gone.includes(path))]) {
    if (path.endsWith('/') || isOwn(repository, path)) continue;
    const stats = look(repository, path);
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) gone.push(path);
    else if (stats.size > maxFileBytes || !isReadable(repository, path, stats)) aside.push({ path, stats });
    else there.push({ path, stats });
  }
  return {
    before,
    gone,
    there: unique(there),
    aside: unique(aside),
    nested: others.filter((path) => path.endsWith('/')),
    doubted,
  };
}

function isOwn({ prefix }: OwnRepository, path: BytePath): boolean {
  return OWN_FOLDER.test(path.slice(prefix.length));
}

/**
 * Files that `diff-files` could not look at, as it says on stderr only, and that are gone: below a loop of links. Those in a
 * closed folder are left as they were.
 */
function findPassedOver(
  repository: OwnRepository,
  before: ReadonlyMap<BytePath, FileState>,
  { stdout }: { readonly stdout: string },
): ReadonlyMap<BytePath, FileState> {
  const states = [...readStages(stdout)].filter(([path]) => !before.has(path));
  return new Map(states.filter(([path]) => errorOfLook(repository, path) === 'ELOOP'));
}

function unique(files: readonly LookedAt[]): LookedAt[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function absolutePath({ top }: OwnRepository, path: BytePath): Buffer {
  return toBytes(`${fromText(top)}/${path}`);
}

function look(repository: OwnRepository, path: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(absolutePath(repository, path), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // Below a file, a loop of links or a closed folder, nothing can be seen.
  }
}

function isBeyondLink({ top }: OwnRepository, path: BytePath): boolean {
  const folder = `${fromText(top)}/${path}`.slice(0, -basename(path).length - 1);
  try {
    return realpathSync.native(toBytes(folder), 'buffer').toString('latin1') !== folder;
  } catch {
    return true; // The folder is gone.
  }
}

function errorOfLook(repository: OwnRepository, path: BytePath): string | undefined {
  try {
    lstatSync(absolutePath(repository, path), { throwIfNoEntry: false });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function isReadable(repository: OwnRepository, path: BytePath, stats: BigIntStats): boolean {
  if (!stats.isFile()) return true;
  try {
    accessSync(absolutePath(repository, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Files that were changed in the very moment of a record, with what the system said of them. Git compares times of change of
 * status by the second: content of the same length, written in that second and given its old time back, would be missed.
 */
export type RecentFiles = ReadonlyMap<BytePath, LookedAt>;

const NANOSECONDS = 1_000_000;
/** A second, and what clocks of file systems lag behind. */
const MOMENT_MS = 2000;

/** Chooses the files that can still change within the second that git knows of them. The later description of a file counts. */
export function findRecent(files: Iterable<LookedAt>, now: number): RecentFiles {
  const recent = Array.from(files).filter(
    ({ stats }) => Number(stats.ctimeNs) / NANOSECONDS > now - MOMENT_MS,
  );
  return new Map(recent.map((file) => [file.path, file]));
}

/** A file that is there, as the system describes it. */
export interface LookedAt {
  readonly path: BytePath;
  readonly stats: BigIntStats;
}

/** Mode of a file as git writes it. */
export function modeOf(stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return '120000';
  return (stats.mode & 0o100n) === 0n ? '100644' : '100755';
}

/** Changes whenever the file does, and when its times do. */
export function signatureOf({ mode, size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [mode, size, mtimeNs, ctimeNs, ino].join(':');
}

/** A file whose content is not kept: too large, not readable, or with a name that no index takes. */
export interface AsideFile {
  readonly state: FileState;
  /** Changes whenever the file does, and when its times do. */
  readonly signature: string;
}

export type AsideFiles = ReadonlyMap<BytePath, AsideFile>;

/** Most bytes of such files that are read at one time to tell what they hold. */
const MOST_READ = 256n * 1024n * 1024n;

/** The id of a content that is not known. */
export function unknownId({ format }: OwnRepository): string {
  return '0'.repeat(format === 'sha1' ? 40 : 64);
}

/** Describes files without keeping their contents; those known already, and of the same signature, as they were. */
export async function describeAside(
  repository: OwnRepository,
  files: readonly LookedAt[],
  known: AsideFiles,
  signal: AbortSignal | undefined,
): Promise<AsideFiles> {
  const described = new Map<BytePath, AsideFile>();
  let room = MOST_READ;
  for (const file of files) {
    const { path, stats } = file;
    const before = known.get(path);
    if (before !== undefined && isSameAside(before, file)) described.set(path, before);
    else {
      const mayRead = stats.isFile() && stats.size <= room;
      if (mayRead) room -= stats.size;
      const id = mayRead ? await hashFile(repository, path, signal) : undefined;
      const state = { mode: modeOf(stats), id: id ?? unknownId(repository) };
      described.set(path, { state, signature: signatureOf(stats) });
    }
  }
  return described;
}

/** Whether a file is the one that is known, untouched. */
export function isSameAside(known: AsideFile | undefined, now: AsideFile | LookedAt | undefined): boolean {
  if (known === undefined || now === undefined) return false;
  return known.signature === ('stats' in now ? signatureOf(now.stats) : now.signature);
}

async function hashFile(
  repository: OwnRepository,
  path: BytePath,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const input = `${quoteLine(`${fromText(repository.top)}/${path}`)}\n`;
    const args = ['hash-object', '--no-filters', '--stdin-paths'];
    return (await runInOwn(repository, { args, input, signal })).stdout.trim();
  } catch (error) {
    // It cannot be read: that it is there is all that can be told.
    if (error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
}

/** A path as a line of its own. */
export function quoteLine(path: BytePath): string {
  if (!/["\n\\\r]/u.test(path)) return path;
  return `"${path.replaceAll(/["\\]/gu, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}
