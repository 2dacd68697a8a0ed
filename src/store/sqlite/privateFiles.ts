import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../utils/logger.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What SQLite puts beside a database; new ones get the mode of the database by themselves. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Makes folder and file if they are not there, for nobody but their owner, whatever the umask; looser modes are fixed, with a notice. */
export function preparePrivateFile(file: string, logger: Logger): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  tighten(folder, FOLDER_MODE, logger);
  createIfMissing(file);
  for (const path of [file, ...COMPANIONS.map((companion) => file + companion)])
    tighten(path, FILE_MODE, logger);
}

function createIfMissing(file: string): void {
  try {
    const descriptor = openSync(file, 'wx', FILE_MODE);
    fchmodSync(descriptor, FILE_MODE);
    closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function tighten(path: string, mode: number, logger: Logger): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const before = found.mode & 0o777;
  const after = before & mode;
  if (after === before) return;
  chmodSync(path, after);
  logger.warn?.(`${path} had mode ${before.toString(8)}; now ${after.toString(8)}`);
}
