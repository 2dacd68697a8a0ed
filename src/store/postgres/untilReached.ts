import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreOutOfReachError } from './sharedErrors.js';

const MOST_MILLISECONDS_BETWEEN_ATTEMPTS = 1000;
/** As long as a lease: after that others may count on this process being gone. */
const PATIENCE_MILLISECONDS = 15_000;

/** Does something that counts once however often it is done, until the store answers. Rejects when it does not for long, or at the signal. */
export async function untilReached<Value>(
  work: () => Promise<Value>,
  {
    signal,
    patience = PATIENCE_MILLISECONDS,
  }: { readonly signal?: AbortSignal; readonly patience?: number } = {},
): Promise<Value> {
  const until = performance.now() + patience;
  for (let attempt = 0; ; attempt++) {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      // A process that was stopped tries once more: its time ran on, and the answer may lie there.
      const isPassing = error instanceof StoreOutOfReachError && began < until;
      if (!isPassing || signal?.aborted) throw error;
    }
    await wait(Math.min(25 * 2 ** attempt, MOST_MILLISECONDS_BETWEEN_ATTEMPTS));
  }
}
