import { english } from '../catalogue/english.js';
import { endsSession, type Standing } from '../conversation/standing.js';
import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';

/** Says so when the session of a member is left, because it is unclear what it holds of a turn that was cut off. */
export function noteLeftSession(
  { id, name }: Pick<AgentMember, 'id' | 'name'>,
  standing: Standing,
  end: TurnEnd,
): ConversationFact[] {
  if (!endsSession(standing, end)) return [];
  return [{ type: 'notice', code: 'session-lost', text: english.sessionLeft(name), memberId: id }];
}
