import { english } from '../catalogue/english.js';
import { endsSession, type Standing } from '../conversation/standing.js';
import type { ConversationFact, QueuedTurn, TurnEnd } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';
import { retryTurns } from './retryTurns.js';

type NamedMember = Pick<AgentMember, 'id' | 'name'>;

/** A member could not go on in its own session: the same turn comes next, with the whole prompt, and that is said. */
export function resendAfterLostSession(
  { id, name }: NamedMember,
  turn: QueuedTurn,
  turnCount: number,
): ConversationFact[] {
  return [
    { type: 'notice', code: 'session-lost', text: english.sessionLost(name), memberId: id },
    { type: 'turns-queued', turns: retryTurns([turn], turnCount), place: 'front' },
  ];
}

/** Says so when the session of a member is left, because it is unclear what it holds of a turn that was cut off. */
export function noteLeftSession(
  { id, name }: NamedMember,
  standing: Standing,
  end: TurnEnd,
): ConversationFact[] {
  if (!endsSession(standing, end)) return [];
  return [{ type: 'notice', code: 'session-lost', text: english.sessionLeft(name), memberId: id }];
}
