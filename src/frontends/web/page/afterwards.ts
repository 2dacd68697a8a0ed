import { listenToKeys } from './keyboard.js';
import { runClock } from './state/clock.js';
import { runNotices } from './state/notify.js';

/** Starts all that can wait until something is on the screen: keys of the whole page, notices, the clock. */
export function startTheRest(): void {
  listenToKeys();
  runNotices();
  runClock();
}
