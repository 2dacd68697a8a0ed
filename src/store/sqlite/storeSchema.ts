import { StoreDamagedError, StoreNewerError, StoreOlderError } from '../storeErrors.js';
import type { Database } from './loadSqlite.js';
import { inTransaction } from './transaction.js';

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
