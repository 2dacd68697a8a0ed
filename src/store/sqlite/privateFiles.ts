import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../utils/logger.js';
import { tightenMode } from '../../utils/tightenMode.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What SQLite puts beside a database; new ones get the mode of the database by themselves. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Makes folder and file if they are not there, for nobody but their owner, whatever the umask; looser modes are fixed, with a notice. */
export function preparePrivateFile(file: string, logger: Logger): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  tightenMode(folder, FOLDER_MODE, logger);
  createIfMissing(file);
  for (const path of [file, ...COMPANIONS.map((companion) => file + companion)])
    tightenMode(path, FILE_MODE, logger);
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
