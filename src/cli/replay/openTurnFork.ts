import { randomBytes } from 'node:crypto';
import type { Conversation } from '../../coordinator/Conversation.js';
import { type ConversationOptions, resumeConversation } from '../../createConversation.js';
import type { ConversationId } from '../../models/ids.js';
import { limitToTurn, saveFork, type TurnFork } from '../../replay/forkTurn.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';

/** Opens the past of one turn as a conversation in memory, in which that turn waits and no other follows it. */
export async function openTurnFork(
  fork: TurnFork,
  options: Omit<ConversationOptions, 'store' | 'id'>,
): Promise<Conversation> {
  const store = new MemoryStore();
  const id = `replay-${randomBytes(6).toString('hex')}` as ConversationId;
  await saveFork(store, id, fork);
  const { team } = options;
  return resumeConversation({
    ...options,
    id,
    store,
    team: { ...team, limits: limitToTurn(team.limits, fork) },
  });
}
