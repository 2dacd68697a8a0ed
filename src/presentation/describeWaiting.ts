import { formatRecent } from '../catalogue/formats.js';
import { words } from '../catalogue/words.js';
import type { WaitingEvent } from '../models/AgentEvent.js';

/** `Waiting for gpu_box to run sarah (last seen 3 h ago)`, `sarah waits: acme-codex has 6 of 6`. */
export function describeWaiting(name: string, waiting: WaitingEvent): string {
  const { worker, lastSeen, account, running = 0, atOnce = 0 } = waiting;
  const { waits, seen, never, busy, full } = words.elsewhere;
  if (account !== undefined) return full(name, account, running, atOnce);
  if (lastSeen === undefined) return waits(name, worker, never);
  if (lastSeen === 0) return waits(name, worker, busy);
  const now = Date.now();
  return waits(name, worker, seen(formatRecent(now - lastSeen * 1000, now)));
}
