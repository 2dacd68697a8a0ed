import { randomBytes } from 'node:crypto';
import type { Conversation } from '../../coordinator/Conversation.js';
import { type ConversationOptions, resumeConversation } from '../../createConversation.js';
import type { ConversationId } from '../../models/ids.js';
import type { Limits } from '../../models/Team.js';
import type { TurnFork } from '../../replay/forkTurn.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { createWhole } from '../../store/Store.js';

/** Opens the past of one turn as a conversation in memory, in which that turn waits and no other follows it. */
export async function openTurnFork(
  { facts, added, turnCount }: TurnFork,
  options: Omit<ConversationOptions, 'store' | 'id'>,
): Promise<Conversation> {
  const store = new MemoryStore();
  const id = `replay-${randomBytes(6).toString('hex')}` as ConversationId;
  const past = facts.map((fact) =>
    fact.type === 'conversation-start' ? { ...fact, conversationId: id } : fact,
  );
  await createWhole(store, id, async (log) => {
    await log.restore(past);
    log.append(added);
  });
  const { team } = options;
  return resumeConversation({
    ...options,
    id,
    store,
    team: { ...team, limits: limitToOne(team.limits, turnCount) },
  });
}

/** Only one more turn; whatever else the past has reached is no reason not to ask. */
function limitToOne({ usd: _, tokens: __, checkRounds: ___, ...limits }: Limits, turnCount: number): Limits {
  return { ...limits, agentTurns: turnCount + 1, pairTurns: Infinity, sameAnswer: Infinity };
}
