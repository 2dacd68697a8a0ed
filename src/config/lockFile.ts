import { setTimeout as delay } from 'node:timers/promises';
import { HuddleError } from '../models/errors.js';
import { type Lease, readLeaseHolder, takeLease } from '../utils/takeLease.js';

const PAUSE_MILLISECONDS = 10;
/** Longest wait for another process: longer than one takes to write its lock, so that an unfinished one is taken over first. */
const PATIENCE_MILLISECONDS = 15_000;

/** Another process has held the lock of a file for longer than work under a lock takes. Nothing was changed. */
export class FileLockedError extends HuddleError<'FILE_LOCKED'> {
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
