import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HuddleError } from '../models/errors.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { type Lease, readLeaseHolder, takeLease } from '../utils/takeLease.js';

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

const PAUSE_MILLISECONDS = 10;
/** Longest wait for another process: longer than one takes to write its lock, so that an unfinished one is taken over first. */
const PATIENCE_MILLISECONDS = 15_000;

/** Another process has held the lock of a file for longer than work under a lock takes. Nothing was changed. */
class FileLockedError extends HuddleError<'FILE_LOCKED'> {
  constructor(file: string) {
    const { pid, host } = readLeaseHolder(file) ?? {};
    super('FILE_LOCKED', { file, pid, host });
  }
}

/**
 * Does something while no other process does it under the same lock: a file that names who has it. That of a process that is gone
 * is taken over. Rejects with FileLockedError.
 */
export async function withLockFile<Value>(
  file: string,
  work: () => Promise<Value>,
  { patience = PATIENCE_MILLISECONDS } = {},
): Promise<Value> {
  const lease = await acquire(file, patience);
  try {
    return await work();
  } finally {
    lease.release();
  }
}

async function acquire(file: string, patience: number): Promise<Lease> {
  const deadline = performance.now() + patience;
  for (;;) {
    const lease = takeLease(file);
    if (lease !== undefined) return lease;
    if (performance.now() > deadline) throw new FileLockedError(file);
    await delay(PAUSE_MILLISECONDS);
  }
}

const FILE_MODE = 0o600;
const MODE_BITS = 0o777;

/**
 * Writes into a private file what people said in private. An existing file keeps its mode, and its text until the new one
 * is whole; a device or a pipe takes what comes.
 */
export async function writePieces(file: string, pieces: AnyIterable<string>): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) await replaceFile(file, pieces, FILE_MODE);
  else if (found.isFile()) await replaceFile(realpathSync(file), pieces, found.mode & MODE_BITS);
  else await streamPieces(file, pieces);
}

async function streamPieces(file: string, pieces: AnyIterable<string>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    for await (const piece of pieces) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
