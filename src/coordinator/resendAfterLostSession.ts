import { english } from '../catalogue/english.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';
import { retryTurns } from './retryTurns.js';

/** A member could not go on in its own session: the same turn comes next, with the whole prompt, and that is said. */
export function resendAfterLostSession(
  { id, name }: AgentMember,
  turn: QueuedTurn,
  turnCount: number,
): ConversationFact[] {
  return [
    { type: 'notice', code: 'session-lost', text: english.sessionLost(name), memberId: id },
    { type: 'turns-queued', turns: retryTurns([turn], turnCount), place: 'front' },
  ];
}
