import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnsafePathError } from './fileReason.js';
import type { Logger } from './logger.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const WRITABLE_BY_OTHERS = 0o022;
const ALL_RIGHTS = 0o777;
const ALL_BITS = 0o7777;

/** Makes a folder that only its owner can enter, whatever the umask. One that is there must be ours, and is closed to others, with a notice. */
export function makePrivateFolder(folder: string, logger?: Logger): void {
  const path = resolve(folder);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    makeMissingFolders(dirname(path));
    makeFolder(path);
  }
  tighten(path, requireOwnFolder(path), FOLDER_MODE, logger);
}

/** Requires a folder of this user that no one else can write to, maybe behind a link of the same user. */
export function requireOwnFolder(path: string): Stats {
  const link = lstatSync(path);
  if (link.isSymbolicLink() && !isOwn(link)) throw new UnsafePathError(path, 'link-of-other');
  const folder = statSync(path);
  // What the system says of a file in the place of a folder is what there is to say.
  if (!folder.isDirectory()) mkdirSync(path);
  if (!isOwn(folder)) throw new UnsafePathError(path, 'of-other');
  if ((folder.mode & WRITABLE_BY_OTHERS) !== 0) {
    const mode = (folder.mode & ALL_BITS).toString(8);
    throw new UnsafePathError(path, 'open-to-others', mode);
  }
  return folder;
}

/**
 * Makes sure that a file, if there is one, can be read by this user only. A link, a pipe, a device or a file
 * of another user is refused and left as it is, before anything waits for it.
 */
export function requirePrivateFile(path: string, logger?: Logger): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A folder in the place of the file is left to the code that opens it.
  if (found === undefined || found.isDirectory()) return;
  if (found.isSymbolicLink()) throw new UnsafePathError(path, 'link');
  if (!found.isFile()) throw new UnsafePathError(path, 'irregular');
  if (!isOwn(found)) throw new UnsafePathError(path, 'of-other');
  tighten(path, found, FILE_MODE, logger);
}

/** Makes folders one by one: asked for all at once, Node hangs if the system denies that a folder above exists. */
export function makeMissingFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(path) !== path) makeMissingFolders(dirname(path));
  makeFolder(path);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: FOLDER_MODE });
    chmodSync(path, FOLDER_MODE);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Takes all rights beyond these away; never adds one. */
function tighten(path: string, { mode }: Stats, allowed: number, logger: Logger = {}): void {
  const before = mode & ALL_RIGHTS;
  const after = before & allowed;
  if (after === before) return;
  chmodSync(path, after);
  logger.warn?.(`${path} had mode ${before.toString(8)}; now ${after.toString(8)}`);
}

/** Whether a path belongs to this user; always, if the system knows no users. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
