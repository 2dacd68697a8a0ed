import type { ListedConversation } from '../wire.js';

/** Sorts by what needs a person first, then by the last change. Pure. */
export function byNeed(one: ListedConversation, other: ListedConversation): number {
  return rankOf(one) - rankOf(other) || other.changedAt - one.changedAt;
}

/** Lower needs a person more. */
function rankOf(listed: ListedConversation): number {
  const { requests, awaited, running, queued, state, pause, unfinished } = listed;
  if (requests.length > 0) return 0;
  const isWorking = state === 'open' && (running.length > 0 || (queued > 0 && pause === null));
  if (awaited.length > 0 && !isWorking) return 1;
  if (isWorking) return 2;
  return pause !== null || unfinished.length + running.length + queued > 0 ? 3 : 4;
}
