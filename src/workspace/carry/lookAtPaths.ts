import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync, type Stats } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, toText } from '../bytePaths.js';
import type { ObjectFormat } from '../git/filesLayout.js';
import type { OwnRepository } from '../git/ownRepository.js';
import { inSlices } from './inSlices.js';
import { foldersAbove, onDisk } from './pathsOnDisk.js';
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
