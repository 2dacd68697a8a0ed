import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

const MINUTE = 60_000;

/** The time, by the minute: for `5 min ago`. */
export const clock = signal(Date.now());

/** Moves the clock on while the page is looked at. */
export function runClock(): void {
  const tick = () => {
    if (document.visibilityState === 'visible') clock.value = Date.now();
  };
  setInterval(tick, MINUTE);
  document.addEventListener('visibilitychange', tick);
}

const SECOND = 1000;

/** The time, by the second while it is needed; a page without a clock does nothing. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isNeeded) return;
    setNow(Date.now());
    const clock = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(clock);
  }, [isNeeded]);
  return now;
}
