import { setImmediate } from 'node:timers/promises';

/** How long others may be kept waiting: less than a person notices. */
const BUSY_MILLISECONDS = 8;

/** For loops over what is there already: call it between two pieces of work, and await what it returns, if anything. */
export function createBreather(
  clock: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let since = clock();
  return () => {
    if (clock() - since < BUSY_MILLISECONDS) return undefined;
    return setImmediate().then(() => {
      since = clock();
    });
  };
}
