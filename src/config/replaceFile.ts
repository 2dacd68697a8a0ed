import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AnyIterable } from '../utils/AnyIterable.js';

/** Writes all of a file or nothing: readers see the old text or the new one, also after a crash. A mode that is given holds whatever the umask. */
export async function replaceFile(file: string, pieces: AnyIterable<string>, mode?: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      if (mode !== undefined) fchmodSync(descriptor, mode);
      // All of a piece: a single write may stop where the disk is full, and call that a success.
      for await (const piece of pieces) writeFileSync(descriptor, piece);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
