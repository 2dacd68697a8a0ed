import { StoreDamagedError, StoreWriteError } from '../storeErrors.js';
import type { Database } from './loadSqlite.js';
import { withFile } from './sqliteFailures.js';

/** When this much has been written, it goes over into the file. */
const FULL_BYTES = 4 * 1024 * 1024;
/** What even the smallest commit writes: whole pages, a few of them. */
const COMMIT_BYTES = 16 * 1024;
/** In pages, of those who write without ever letting others run. */
const AT_MOST_PAGES = 16_384;

/**
 * Brings what SQLite has written beside its file into the file. By itself SQLite does that inside the commit that makes
 * it due, which then takes twice as long; this waits until that commit has been answered for.
 */
export class WriteAheadLog {
  readonly #database: Database;
  readonly #file: string;
  #bytes = 0;
  #moving: NodeJS.Immediate | undefined;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
    database.exec(`PRAGMA wal_autocheckpoint = ${AT_MOST_PAGES}`);
  }

  /** After a commit of rows of this size. */
  noteCommit(bytes: number): void {
    this.#bytes += bytes + COMMIT_BYTES;
    if (this.#bytes < FULL_BYTES) return;
    this.#bytes = 0;
    this.#moving ??= setImmediate(() => {
      this.#moving = undefined;
      this.#move('PASSIVE');
    });
  }

  /** Nothing stays beside the file, so that what is left can be copied or looked at as one. */
  empty(): void {
    clearImmediate(this.#moving);
    this.#moving = undefined;
    this.#move('TRUNCATE');
  }

  #move(mode: 'PASSIVE' | 'TRUNCATE'): void {
    try {
      withFile(this.#file, () => this.#database.exec(`PRAGMA wal_checkpoint(${mode})`));
    } catch (error) {
      // It is durable where it is: what did not go over now goes over later.
      if (!(error instanceof StoreWriteError || error instanceof StoreDamagedError)) throw error;
    }
  }
}
