import { closeSync, fchmodSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../../utils/logger.js';
import { makePrivateFolder, requirePrivateFile } from '../../utils/privatePaths.js';
import { StoreDamagedError } from '../storeErrors.js';
import { type Database, loadSqlite } from './loadSqlite.js';
import { isBusy, whyNotWritable, withFile } from './sqliteFailures.js';
import { createTables, readSchemaVersion, requireKnownVersion } from './storeSchema.js';

const FILE_MODE = 0o600;
/** Suffixes of the files that SQLite puts next to a database; new ones get the mode of the database by themselves. */
const COMPANIONS = ['-wal', '-shm', '-journal'];
/** Longest wait for another process to finish its write. */
const BUSY_MILLISECONDS = 5000;
const RETRY_MILLISECONDS = 10;
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_OFFSET = 18;
const VERSION_OFFSET = 60;
const APPLICATION_ID_OFFSET = 68;
const WAL = 2;

/**
 * Opens the file, makes it first where needed. A file that is not ours, older, newer or damaged is refused and left as it is.
 *
 * @param mayOnlyRead Where the folder cannot be written to, the file is opened to be read.
 */
export function openDatabase(file: string, logger: Logger, mayOnlyRead = false): Database {
  if (mayOnlyRead && whyNotWritable(dirname(file)) !== undefined) return openDatabaseToRead(file);
  const { DatabaseSync } = loadSqlite();
  return withFile(file, () => {
    preparePrivateFile(file, logger);
    requireReadableHeader(file);
    const database = new DatabaseSync(file);
    try {
      // Waiting comes first: already the change to WAL can meet another process.
      database.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
      enterWal(database);
      // What is deleted is to be gone from the file as well.
      database.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON');
      createTables(database, file);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Opens a file that is there, to read it alone: nothing of it is made or changed. Refuses what `openDatabase` refuses. Where
 * SQLite cannot make its companions, it is told that nobody changes the file, unless there is a WAL, whose pages count.
 */
export function openDatabaseToRead(file: string): Database {
  const { DatabaseSync } = loadSqlite();
  return withFile(file, () => {
    requireReadableHeader(file);
    const isImmutable = whyNotWritable(dirname(file)) !== undefined && !hasWal(file);
    const name = isImmutable ? `${pathToFileURL(file).href}?immutable=1` : file;
    const database = new DatabaseSync(name, { readOnly: true });
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}; PRAGMA trusted_schema = OFF`);
      readSchemaVersion(database, file);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Makes folder and file if they are not there, for their owner only, whatever the umask; looser modes are fixed, with a notice. */
function preparePrivateFile(file: string, logger: Logger): void {
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

/**
 * Turns WAL mode on, with retries: when several processes make the file at once, SQLite gives up at once here
 * rather than risk that they wait for each other.
 */
function enterWal(database: Database): void {
  const deadline = performance.now() + BUSY_MILLISECONDS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      sleep(RETRY_MILLISECONDS);
    }
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Looks at the file before SQLite does, because opening it for writing could already change it. While there is a WAL,
 * its pages count and SQLite has to say.
 */
function requireReadableHeader(file: string): void {
  const header = readHeader(file);
  if (header.length === 0 || hasWal(file)) return;
  const isDatabase = header.length === HEADER_BYTES && header.toString('latin1', 0, 16) === MAGIC;
  if (!isDatabase) throw new StoreDamagedError({ file, damage: 'no-database' });
  requireKnownVersion(file, header.readUInt32BE(VERSION_OFFSET), header.readUInt32BE(APPLICATION_ID_OFFSET));
  const isWal = header[WRITE_VERSION_OFFSET] === WAL && header[WRITE_VERSION_OFFSET + 1] === WAL;
  if (!isWal) throw new StoreDamagedError({ file, damage: 'bad-header' });
}

function hasWal(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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
