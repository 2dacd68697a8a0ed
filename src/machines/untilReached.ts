import { setTimeout as wait } from 'node:timers/promises';
import { StoreOutOfReachError } from '../store/postgres/sharedErrors.js';

const BETWEEN_MILLISECONDS = 500;
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
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof StoreOutOfReachError && performance.now() < until;
      if (!isPassing || signal?.aborted) throw error;
    }
    await wait(BETWEEN_MILLISECONDS);
  }
}
