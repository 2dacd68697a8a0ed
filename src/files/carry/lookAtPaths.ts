import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FileState } from '../../models/FileChange.js';
import type { OwnRepository } from '../git/ownRepository.js';
import { type BytePath, foldersAbove, type ObjectFormat, onDisk, toText } from '../paths.js';
import { EXECUTABLE_MODE, FILE_MODE, type FoundPath, LINK_MODE } from './planCarry.js';

/** A folder whose files are looked at and moved. */
export interface LookedAtFolder {
  /** With links resolved. */
  readonly root: string;
  readonly format: ObjectFormat;
  /** Whether the file system knows which files are executable. */
  readonly hasFileMode: boolean;
  /** Whether it takes names for the same that differ in capitals, or in how accents are written. */
  readonly ignoresCase: boolean;
}

/** The folder that a repository of ours is for, with what its settings say of the file system. */
export function folderOf({ top, prefix, format, gitFolder }: OwnRepository): LookedAtFolder {
  const config = readFileSync(join(gitFolder, 'config'), 'latin1');
  return {
    root: join(top, toText(prefix).replace(/\/$/u, '')),
    format,
    hasFileMode: !/^\s*filemode = false$/imu.test(config),
    ignoresCase: process.platform !== 'linux' || /^\s*ignorecase = true$/imu.test(config),
  };
}

const EXECUTABLE = 0o100;
/** Length up to which a file is read in one piece. */
const READ_AT_ONCE = 1024 * 1024;
/** The id of a content that cannot be read: equal to none. */
const UNREADABLE = '';

/** Looks what is at these paths now. Links are never followed: what lies beyond one is not there. */
export async function lookAtPaths(
  folder: LookedAtFolder,
  paths: Iterable<BytePath>,
): Promise<Map<BytePath, FoundPath>> {
  const found = new Map<BytePath, FoundPath>();
  const folders = new Map<BytePath, FolderKind>();
  for await (const path of inSlices(paths)) found.set(path, await lookAt(folder, path, folders));
  return found;
}

type FolderKind = 'folder' | 'other' | 'missing';

async function lookAt(
  folder: LookedAtFolder,
  path: BytePath,
  folders: Map<BytePath, FolderKind>,
): Promise<FoundPath> {
  for (const above of foldersAbove(path)) {
    const kind = folders.get(above) ?? (await readKind(folder, above));
    folders.set(above, kind);
    if (kind === 'missing') return {};
    if (kind === 'other') return { beyond: above };
  }
  const stats = await statExactly(folder, path);
  if (stats === undefined) return {};
  if (stats.isDirectory()) return { holds: await listFiles(folder.root, path) };
  // A pipe or a socket holds itself: it never leaves, so nothing takes its place.
  if (!stats.isFile() && !stats.isSymbolicLink()) return { holds: [path] };
  return { state: await stateOf(folder, path, stats) };
}

async function readKind(folder: LookedAtFolder, path: BytePath): Promise<FolderKind> {
  const stats = await statExactly(folder, path);
  if (stats === undefined) return 'missing';
  return stats.isDirectory() ? 'folder' : 'other';
}

/** Undefined: nothing is there. Synchronous on purpose, as all that is done to one file: through the thread pool it takes ten times as long. */
export function statOf(root: string, path: BytePath): Stats | undefined {
  try {
    return lstatSync(onDisk(root, path), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A name that is written in another way is another: else a file that was only renamed would be taken for both. */
async function statExactly(
  { root, ignoresCase }: LookedAtFolder,
  path: BytePath,
): Promise<Stats | undefined> {
  const stats = statOf(root, path);
  if (stats === undefined || !ignoresCase) return stats;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const siblings = await readdir(onDisk(root, path.slice(0, -name.length)), { encoding: 'buffer' });
  const isThere = siblings.some((sibling) => sibling.toString().normalize() === toText(name).normalize());
  return isThere ? stats : undefined;
}

async function listFiles(root: string, path: BytePath): Promise<readonly BytePath[]> {
  const entries = await readdir(onDisk(root, path), { withFileTypes: true, encoding: 'buffer' });
  const files = entries.map(async (entry) => {
    const below = `${path}/${entry.name.toString('latin1')}`;
    return entry.isDirectory() ? listFiles(root, below) : [below];
  });
  return (await Promise.all(files)).flat();
}

async function stateOf(folder: LookedAtFolder, path: BytePath, stats: Stats): Promise<FileState> {
  const isLink = stats.isSymbolicLink();
  const isExecutable = folder.hasFileMode && (stats.mode & EXECUTABLE) !== 0;
  const mode = isLink ? LINK_MODE : isExecutable ? EXECUTABLE_MODE : FILE_MODE;
  try {
    return { mode, id: await hashContent(folder, path, stats) };
  } catch {
    return { mode, id: UNREADABLE }; // Then nothing is done with it.
  }
}

/** The id that git gives the content. */
async function hashContent({ root, format }: LookedAtFolder, path: BytePath, stats: Stats): Promise<string> {
  const place = onDisk(root, path);
  const hash = createHash(format);
  if (stats.isSymbolicLink()) {
    const target = await readlink(place, { encoding: 'buffer' });
    return hash.update(`blob ${target.length}\0`).update(target).digest('hex');
  }
  hash.update(`blob ${stats.size}\0`);
  if (stats.size <= READ_AT_ONCE) return hash.update(readFileSync(place)).digest('hex');
  for await (const chunk of createReadStream(place)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** A path at the moment when it was looked at, before its content was. */
export interface SeenPath {
  /** Absent: nothing was there. */
  readonly stats?: BigIntStats | undefined;
  /** Epoch nanoseconds. */
  readonly at: bigint;
}

/** A change within this time of another may leave the times of a file as they are, on the coarsest file systems. */
const COARSE_NS = 2_000_000_000n;

export function seePath(root: string, name: BytePath): SeenPath {
  return { at: BigInt(Date.now()) * 1_000_000n, stats: statNow(root, name) };
}

/**
 * Whether nobody touched a path since it was seen, and found to be so. Synchronous, like what is done to the path next: so
 * nobody in this process comes in between, and another has no time to.
 */
export function isAsSeen(
  folder: LookedAtFolder,
  name: BytePath,
  { seen, now }: { readonly seen: SeenPath; readonly now: FileState | undefined },
): boolean {
  const { root } = folder;
  const stats = statNow(root, name);
  if (now === undefined) return isStillFree(root, name, stats, seen);
  if (stats === undefined || seen.stats === undefined || !haveSameRights(stats, seen.stats)) return false;
  if (isSameVersion(stats, seen.stats) && !isRecent(seen)) return true;
  // Its times alone may have changed, with a link to it or with a touch; or are too coarse to tell.
  return hashNow(folder, name, now) === now.id && isSameVersion(stats, statNow(root, name));
}

/** Nothing is there, or a folder that was there before and has no files left. */
function isStillFree(root: string, name: BytePath, stats: BigIntStats | undefined, seen: SeenPath): boolean {
  if (stats === undefined) return true;
  return stats.isDirectory() && seen.stats?.ino === stats.ino && !holdsFiles(root, name);
}

function holdsFiles(root: string, name: BytePath): boolean {
  return readdirSync(onDisk(root, name), { withFileTypes: true, encoding: 'buffer' }).some(
    (entry) => !entry.isDirectory() || holdsFiles(root, `${name}/${entry.name.toString('latin1')}`),
  );
}

function haveSameRights(one: BigIntStats, other: BigIntStats): boolean {
  return one.mode === other.mode && one.uid === other.uid && one.gid === other.gid;
}

function isSameVersion(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return (
    one.ino === other?.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

function isRecent({ stats, at }: SeenPath): boolean {
  return stats !== undefined && (at - stats.mtimeNs < COARSE_NS || at - stats.ctimeNs < COARSE_NS);
}

/** Undefined: it cannot be read, so it is not what was seen. */
function hashNow({ root, format }: LookedAtFolder, name: BytePath, { mode }: FileState): string | undefined {
  try {
    const place = onDisk(root, name);
    const content = mode === LINK_MODE ? readlinkSync(place, { encoding: 'buffer' }) : readFileSync(place);
    return createHash(format).update(`blob ${content.length}\0`).update(content).digest('hex');
  } catch {
    return undefined;
  }
}

function statNow(root: string, name: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(onDisk(root, name), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A file stands in the place of a folder above it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Items after which others have their turn: a few milliseconds of work. */
const SLICE = 32;

/** Goes through items whose work is synchronous, without keeping everybody else waiting when they are many. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    count += 1;
    if (count % SLICE === 0) await setImmediate();
    yield item;
  }
}
