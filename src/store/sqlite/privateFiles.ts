import { closeSync, fchmodSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../utils/logger.js';
import { makePrivateFolder, requirePrivateFile } from '../../utils/privatePaths.js';

const FILE_MODE = 0o600;
/** What SQLite puts beside a database; new ones get the mode of the database by themselves. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Makes folder and file if they are not there, for nobody but their owner, whatever the umask; looser modes are fixed, with a notice. */
export function preparePrivateFile(file: string, logger: Logger): void {
  makePrivateFolder(dirname(file), logger);
  createIfMissing(file);
  for (const path of [file, ...COMPANIONS.map((companion) => file + companion)])
    requirePrivateFile(path, logger);
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
