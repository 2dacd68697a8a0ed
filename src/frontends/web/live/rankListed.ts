import type { ListedConversation } from '../wire.js';

/** Sorts by what needs a person first, then by the last change. Pure. */
export function byNeed(one: ListedConversation, other: ListedConversation): number {
  return rankOf(one) - rankOf(other) || other.changedAt - one.changedAt;
}

/** Lower needs a person more. */
function rankOf({ requests, awaited, running, state, pause, unfinished }: ListedConversation): number {
  if (requests.length > 0) return 0;
  const isWorking = running.length > 0 && state === 'open';
  if (awaited.length > 0 && !isWorking) return 1;
  if (isWorking) return 2;
  return pause !== null || unfinished.length > 0 || running.length > 0 ? 3 : 4;
}
