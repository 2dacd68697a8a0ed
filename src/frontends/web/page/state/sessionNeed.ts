import type { ListedConversation } from '../../wire.js';

/** The state of a session by what it needs: `asks` waits for an approval or an answer. */
export type Need =
  | 'asks'
  | 'works'
  | 'paused'
  | 'stopped'
  | 'interrupted'
  | 'failed'
  | 'done'
  | 'empty'
  | 'damaged';

export function needOf(session: ListedConversation): Need {
  const { requests, running, queued, pause, state, awaited, unfinished, messages } = session;
  if (state === 'damaged') return 'damaged';
  if (requests.length > 0) return 'asks';
  const isContinuing = running.length > 0 || (queued > 0 && pause === null);
  if (isContinuing) return state === 'open' ? 'works' : 'interrupted';
  if (pause !== null) return pause.kind === 'cancelled' ? 'stopped' : 'paused';
  const last = unfinished.at(-1);
  if (last !== undefined) return LEFT_AFTER[last.kind];
  if (awaited.length > 0) return 'asks';
  return messages === 0 ? 'empty' : 'done';
}

const LEFT_AFTER: Readonly<Record<ListedConversation['unfinished'][number]['kind'], Need>> = {
  interrupted: 'interrupted',
  cancelled: 'stopped',
  failed: 'failed',
  'timed-out': 'failed',
};
