import { endsSession, type Standing } from '../conversation/standing.js';
import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';

/** Says so when the session of a member is left, because it is unclear what it holds of a turn that was cut off. */
export function noteLeftSession(memberId: MemberId, standing: Standing, end: TurnEnd): ConversationFact[] {
  if (!endsSession(standing, end)) return [];
  return [{ type: 'notice', code: 'session-lost', memberId, because: 'cut-off' }];
}
