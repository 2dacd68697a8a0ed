import { closeSync, fchmodSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../../utils/logger.js';
import { makePrivateFolder, requirePrivateFile } from '../../utils/privatePaths.js';
import { StoreDamagedError, StoreNewerError, StoreOlderError } from '../storeErrors.js';
import { type Database, inTransaction, loadSqlite } from './loadSqlite.js';
import { isBusy, whyNotWritable, withFile } from './sqliteFailures.js';

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

/** `Hddl`, in the header of the file: a database of another program is not taken for ours. */
const APPLICATION_ID = 0x4864646c;
/** `Hudl`: files from before the first release, whatever their version. */
const UNRELEASED_APPLICATION_ID = 0x4875646c;

/** Version 1 had sentences in its events, and was never released. */
export const STORE_VERSION = 2;

/**
 * An event's `place` is the number of its conversation times 2^32 plus its own: one tree, appended at one place.
 * `opened` counts up with every opening.
 */
const SCHEMA = `
  CREATE TABLE conversation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL,
    restored_seq INTEGER NOT NULL DEFAULT 0,
    tally TEXT NOT NULL,
    folder TEXT,
    opened INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    lease TEXT
  ) STRICT;
  CREATE TABLE event (
    place INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE checkpoint (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${STORE_VERSION};`;

/** Throws when the file is not ours to open. An empty one has version 0. */
export function requireKnownVersion(file: string, version: number, applicationId: number): void {
  const isOlder = applicationId === APPLICATION_ID && version < STORE_VERSION;
  if (isOlder || applicationId === UNRELEASED_APPLICATION_ID) throw new StoreOlderError({ file });
  const isOurs = applicationId === APPLICATION_ID || (version === 0 && applicationId === 0);
  if (!isOurs) throw new StoreDamagedError({ file, damage: 'not-ours' });
  if (version > STORE_VERSION) throw new StoreNewerError({ file }, version, STORE_VERSION);
}

/** Makes the tables in a database that is empty; all or none. */
export function createTables(database: Database, file: string): void {
  if (readSchemaVersion(database, file) === STORE_VERSION) return;
  inTransaction(database, () => {
    // Another process may have done it while we waited.
    if (readSchemaVersion(database, file) < STORE_VERSION) database.exec(SCHEMA);
  });
  // From now on the header of the file itself says what it is; see `requireReadableHeader`.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** The version of the tables; 0 when there are none yet. Throws when the file is not ours to open. */
export function readSchemaVersion(database: Database, file: string): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const applicationId = Number(database.prepare('PRAGMA application_id').get()?.application_id);
  requireKnownVersion(file, version, applicationId);
  return version;
}
