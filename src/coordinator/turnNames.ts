import type { TurnAddress } from '../agents/AgentAdapter.js';
import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { AgentMember } from '../models/Team.js';

/** Everything by which another machine finds a turn. */
export function describeAddress(
  conversationId: ConversationId,
  { turnId, memberId }: QueuedTurn,
  { name: memberName, agentType, runsOn }: AgentMember,
): TurnAddress {
  return { conversationId, turnId, memberId, memberName, agentType, runsOn };
}

/** Names a turn outside of the conversation. */
export function nameOutside(turnId: TurnId, id: ConversationId): string {
  return `${turnId} of session ${id}`;
}
