import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HuddleError } from '../models/errors.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';
import { TeamFileError } from './TeamFileError.js';

const MAX_BYTES = 1024 * 1024;
const FORBIDDEN = { write: 0o022, read: 0o077 } as const;
const STICKY = 0o1000;

/**
 * Reads a file of this user that says what is run, or proves who asks.
 *
 * @param forbidden What no one else may do with it; `read` includes writing.
 * @throws HuddleError FILE_OPEN_TO_OTHERS if others may, or may put another file in its place, or it is not ours; TeamFileError if
 * it cannot be read.
 */
export async function readOwnFile(file: string, forbidden: keyof typeof FORBIDDEN): Promise<string> {
  const stats = statSync(file, { throwIfNoEntry: false });
  const isOfOther = stats !== undefined && process.getuid !== undefined && stats.uid !== process.getuid();
  if (isOfOther || (stats !== undefined && (stats.mode & FORBIDDEN[forbidden]) !== 0)) {
    const mode = (stats.mode & 0o777).toString(8);
    throw new HuddleError('FILE_OPEN_TO_OTHERS', { file, mode, isOfOther, forbidden });
  }
  if (stats !== undefined) requireOwnFolders(file);
  try {
    return await readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { facts } = error;
    throw new TeamFileError([{ code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...facts }], file);
  }
}

/**
 * Refuses a file that others can replace: because they may write into its folder, or into one above that. The sticky bit, as that of
 * `/tmp`, keeps them from it.
 *
 * @throws HuddleError FILE_OPEN_TO_OTHERS
 */
export function requireOwnFolders(file: string): void {
  // Both the way to a link and the way to what it stands for.
  for (const folder of new Set([resolve(file), realpathSync(file)].flatMap(foldersOf))) {
    const stats = statSync(folder);
    const isOfOther = isOfAnother(stats);
    if (!isOfOther && !isOpen(stats)) continue;
    const mode = (stats.mode & 0o7777).toString(8);
    throw new HuddleError('FILE_OPEN_TO_OTHERS', { file, folder, mode, isOfOther, forbidden: 'write' });
  }
}

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}

/** In a container root often works in folders of somebody who is not there. */
function isOfAnother({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && uid !== own && uid !== 0;
}

/** The group of a user that has their number is theirs alone. */
function isOpen({ mode, uid, gid }: Stats): boolean {
  if (process.getuid === undefined || (mode & STICKY) !== 0) return false;
  const isAlone = uid !== 0 && gid === uid && uid === process.getuid();
  return (mode & (isAlone ? 0o002 : FORBIDDEN.write)) !== 0;
}
