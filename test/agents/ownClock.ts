const TICK_MILLISECONDS = 10;
/** A gap between two ticks that is longer was the machine's. */
const MOST_MILLISECONDS = 2 * TICK_MILLISECONDS;

/**
 * Starts a clock that stands still while this process is kept from running, and gives a function that stops it and tells its
 * milliseconds. Alone on a machine it is a clock like any other; on a busy one it measures what we waited for, not what we
 * were made to wait for.
 */
export function startOwnClock(): () => number {
  let milliseconds = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    milliseconds += Math.min(now - last, MOST_MILLISECONDS);
    last = now;
  };
  const timer = setInterval(tick, TICK_MILLISECONDS);
  return () => {
    clearInterval(timer);
    tick();
    return milliseconds;
  };
}
