import { listenToKeys } from './keyboard.js';
import { complain } from './state/alerts.js';
import { runClock } from './state/clock.js';
import { runNotices } from './state/notify.js';

/** Starts all that can wait until something is on the screen: keys of the whole page, notices, clock, words for faults. */
export function startTheRest(): void {
  listenToKeys();
  runNotices();
  runClock();
  addEventListener('unhandledrejection', ({ reason }) => complain(reason));
}
