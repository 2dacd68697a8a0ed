import { type LeftAs, leftWith } from '../../../../conversation/questions.js';
import type { ListedConversation } from '../../wire.js';

/** The state of a session by what it needs: `asks` waits for an approval or an answer. */
export type Need = Exclude<LeftAs, 'waiting'> | 'asks' | 'works' | 'empty' | 'damaged';

export function needOf(session: ListedConversation): Need {
  const { requests, running, queued, pause, state, awaited, messages } = session;
  if (state === 'damaged') return 'damaged';
  if (requests.length > 0) return 'asks';
  if (state === 'open' && (running.length > 0 || (queued > 0 && pause === null))) return 'works';
  const left = leftWith({ ...session, running: running.length, asked: awaited.length });
  if (left === 'waiting') return 'asks';
  return left === 'done' && messages === 0 ? 'empty' : left;
}
