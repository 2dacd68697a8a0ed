import { StoreDamagedError, StoreNewerError } from '../storeErrors.js';
import type { Database } from './loadSqlite.js';
import { recountTallies } from './recountTallies.js';
import { inTransaction } from './transaction.js';

/** `Hudl`, in the header of the file: a database of another program is not taken for ours. */
export const APPLICATION_ID = 0x4875646c;

/**
 * Each brings a file from the version of its index to the next. Never changed once released.
 *
 * An event's `place` is the number of its conversation times 2^32 plus its own: one tree, appended at one place.
 * The second half of these numbers is for the pieces of long texts.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE conversation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL,
    tally TEXT NOT NULL,
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
  PRAGMA application_id = ${APPLICATION_ID};`,
  // `opened` counts up with every opening; those that are there keep the order in which they were made.
  `ALTER TABLE conversation ADD COLUMN folder TEXT;
  ALTER TABLE conversation ADD COLUMN opened INTEGER NOT NULL DEFAULT 0;
  UPDATE conversation SET opened = number;`,
  // Long texts of events may stand in rows of their own; what is there stays as it is.
  '',
  'ALTER TABLE conversation ADD COLUMN restored_seq INTEGER NOT NULL DEFAULT 0;',
  // A tally has the whole agenda.
  '',
];

export const STORE_VERSION = MIGRATIONS.length;

/** Throws when the file is not ours to open. An empty one has version 0. */
export function requireKnownVersion(file: string, version: number, applicationId: number): void {
  const isOurs = applicationId === APPLICATION_ID || (version === 0 && applicationId === 0);
  if (!isOurs) throw new StoreDamagedError({ file, reason: 'it is not a store of Huddle' });
  if (version > STORE_VERSION) throw new StoreNewerError(file, version, STORE_VERSION);
}

/** Brings an open database to the present version, and what is counted along with it; all steps or none. */
export function migrate(database: Database, file: string): void {
  if (readVersion(database, file) === STORE_VERSION) return;
  inTransaction(database, () => {
    // Somebody else may have done it while we waited.
    for (let version = readVersion(database, file); version < STORE_VERSION; version++) {
      database.exec(`${MIGRATIONS[version]} PRAGMA user_version = ${version + 1};`);
    }
    recountTallies(database, file);
  });
  // From now on the header of the file itself says what it is; see `requireReadableHeader`.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function readVersion(database: Database, file: string): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const applicationId = Number(database.prepare('PRAGMA application_id').get()?.application_id);
  requireKnownVersion(file, version, applicationId);
  return version;
}
