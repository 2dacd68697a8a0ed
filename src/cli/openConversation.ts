import { hostname } from 'node:os';
import { english } from '../catalogue/english.js';
import type { Conversation } from '../coordinator/Conversation.js';
import { type ConversationOptions, createConversation, resumeConversation } from '../createConversation.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Store } from '../store/Store.js';
import { ConversationLockedError } from '../store/storeErrors.js';

/** How a conversation is kept: as a new one, or as more of one that is there. */
export interface Persistence {
  readonly id?: ConversationId;
  /** Whoever has it open is known to be gone. */
  readonly takeOver?: boolean;
}

/** A new conversation, or a stored one and the number of its last event before it was opened. */
export async function openConversation(
  store: Store | undefined,
  persistence: Persistence | undefined,
  options: ConversationOptions,
): Promise<{ readonly conversation: Conversation; readonly knownSeq: number }> {
  if (store === undefined || persistence?.id === undefined)
    return { conversation: await createConversation({ ...options, store }), knownSeq: 0 };
  const { id, takeOver = false } = persistence;
  const { lastSeq: knownSeq } = await store.read(id);
  try {
    const conversation = await resumeConversation({ ...options, store, id, takeOver });
    return { conversation, knownSeq };
  } catch (error) {
    throw explainLock(error);
  }
}

/** Whether a process of another machine lives is for people to say. */
function explainLock(error: unknown): unknown {
  if (!(error instanceof ConversationLockedError) || error.holder.host === hostname()) return error;
  const { code, message, conversationId } = error;
  return new HuddleError(code, english.sessions.openElsewhere(message, conversationId), { cause: error });
}
