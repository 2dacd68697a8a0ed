import { open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 10;
/** Age at which a lock counts as left by a dead process: work under a lock takes a moment. */
const PATIENCE_MILLISECONDS = 3000;

/** Does something while no other process does it under the same lock: a file that is there for as long as it takes. */
export async function withLockFile<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  await acquire(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  for (let waited = 0; !(await tryCreate(file)); waited += PAUSE_MILLISECONDS) {
    if (waited >= PATIENCE_MILLISECONDS) return;
    await delay(PAUSE_MILLISECONDS);
  }
}

async function tryCreate(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
