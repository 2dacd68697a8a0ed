import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A conversation that continues: one turn takes fewer, and should not wait for the disk because of room it does not need. */
const FIRST_APPENDS = 16;
/** SQLite empties a WAL of a thousand pages, so it seldom gets longer. */
const ROOM_BYTES = 4 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;

/**
 * Makes a WAL long before it is needed. SQLite deletes it when the last process closes the file, and while it grows every
 * append also waits until its new length is on the disk, which takes as long as the append. What is added are zeros behind
 * its end, where SQLite expects remains of older frames and no reader looks.
 */
export class WalRoom {
  readonly #file: string;
  #appends = 0;
  #growing: Promise<void> | undefined;
  #isClosed = false;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /** After each append. */
  noteAppend(): void {
    if (++this.#appends !== FIRST_APPENDS) return;
    // Without room, or a WAL to make it in, appends take longer, and nothing else.
    this.#growing = this.#grow().catch(() => undefined);
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#growing;
  }

  /** Never makes the file: one that is gone belongs to a database that was closed. */
  async #grow(): Promise<void> {
    const wal = await open(this.#file, constants.O_WRONLY | constants.O_APPEND);
    try {
      const zeros = new Uint8Array(STEP_BYTES);
      while (!this.#isClosed && (await wal.stat()).size < ROOM_BYTES) {
        await wal.write(zeros);
        await wal.datasync();
      }
    } finally {
      await wal.close();
    }
  }
}
