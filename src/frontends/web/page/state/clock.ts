import { signal } from '@preact/signals';

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
