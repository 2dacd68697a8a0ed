import { english } from '../catalogue/english.js';
import type { ConversationFact } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';
import { hasLostSession, type MemberMemory } from './memberMemory.js';
import { retryTurns } from './retryTurns.js';

/** When a member could not go on in its own session: the same turn next, with the whole prompt, and a word about it. */
export function resendAfterLostSession(
  endFacts: readonly ConversationFact[],
  { id, name }: AgentMember,
  { openTurns }: MemberMemory,
  turnCount: number,
): ConversationFact[] {
  return endFacts.flatMap((end) => {
    const start = openTurns.find((turn) => end.type === 'turn-end' && turn.turnId === end.turnId);
    if (end.type !== 'turn-end' || start === undefined || !hasLostSession(start, end.result)) return [];
    const { type: _, prompt: __, ...turn } = start;
    return [
      { type: 'notice', code: 'session-lost', text: english.sessionLost(name), memberId: id },
      { type: 'turns-queued', turns: retryTurns([turn], turnCount), place: 'front' },
    ] satisfies ConversationFact[];
  });
}
