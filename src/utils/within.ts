import { setTimeout as wait } from 'node:timers/promises';

/** Waits for something, but no longer than so many milliseconds. Rejects as it does, if that is in time. */
export async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, wait(milliseconds, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
