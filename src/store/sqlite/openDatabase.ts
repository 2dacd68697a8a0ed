import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Logger } from '../../utils/logger.js';
import { StoreDamagedError } from '../storeErrors.js';
import { type Database, loadSqlite } from './loadSqlite.js';
import { migrate, requireKnownVersion } from './migrations.js';
import { preparePrivateFile } from './privateFiles.js';
import { withFile } from './sqliteFailures.js';

/** How long to wait for another process to finish its write. */
const BUSY_MILLISECONDS = 5000;
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_OFFSET = 18;
const VERSION_OFFSET = 60;
const APPLICATION_ID_OFFSET = 68;
const WAL = 2;

/** Opens the file, makes it first where needed. A file that is not ours, newer or damaged is refused and left as it is. */
export function openDatabase(file: string, logger: Logger): Database {
  const { DatabaseSync } = loadSqlite();
  return withFile(file, () => {
    preparePrivateFile(file, logger);
    requireReadableHeader(file);
    const database = new DatabaseSync(file);
    try {
      // Waiting comes first: already the change to WAL can meet another process.
      database.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
      migrate(database, file);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Looks at the file before SQLite does, because opening it for writing could already change it. While there is a WAL,
 * its pages count and SQLite has to say.
 */
function requireReadableHeader(file: string): void {
  const header = readHeader(file);
  const hasWal = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (header.length === 0 || hasWal) return;
  const isDatabase = header.length === HEADER_BYTES && header.toString('latin1', 0, 16) === MAGIC;
  if (!isDatabase) throw new StoreDamagedError({ file, reason: 'it is not a database' });
  requireKnownVersion(file, header.readUInt32BE(VERSION_OFFSET), header.readUInt32BE(APPLICATION_ID_OFFSET));
  const isWal = header[WRITE_VERSION_OFFSET] === WAL && header[WRITE_VERSION_OFFSET + 1] === WAL;
  if (!isWal) throw new StoreDamagedError({ file, reason: 'its header is not as it was written' });
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
