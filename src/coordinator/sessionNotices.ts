import { type ConversationStatus, endsSession } from '../conversation/ConversationStatus.js';
import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';

/** Says so when the session of a member is left, because it is unclear what it holds of a turn that was cut off. */
export function noteLeftSession(
  memberId: MemberId,
  status: ConversationStatus,
  end: TurnEnd,
): ConversationFact[] {
  if (!endsSession(status, end)) return [];
  return [{ type: 'notice', code: 'session-lost', memberId, because: 'cut-off' }];
}
