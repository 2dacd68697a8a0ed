import type { ListedConversation } from '../../wire.js';

/** The state of a session by what it needs: `asks` waits for an approval or an answer. */
export type Need = 'asks' | 'works' | 'paused' | 'failed' | 'done' | 'damaged';

export function needOf({ requests, running, queued, pause, state, awaited }: ListedConversation): Need {
  if (state === 'damaged') return 'damaged';
  if (requests.length > 0) return 'asks';
  const isOpen = state === 'open';
  if (isOpen && (running.length > 0 || (queued > 0 && pause === null))) return 'works';
  if (pause !== null && pause.kind !== 'cancelled') return 'paused';
  if (awaited.length > 0) return 'asks';
  return LEFT[state] ?? 'done';
}

const LEFT: Readonly<Partial<Record<ListedConversation['state'], Need>>> = {
  interrupted: 'failed',
  failed: 'failed',
  stopped: 'failed',
  paused: 'paused',
  waiting: 'asks',
};
