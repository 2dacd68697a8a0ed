import type { Conversation } from '../coordinator/Conversation.js';
import type { DecidingConversation } from '../coordinator/Mandate.js';
import { NotInConversationError } from '../store/postgres/sharedErrors.js';
import { ConversationLockedError } from '../store/storeErrors.js';
import { JoinedConversation } from './JoinedConversation.js';
import { Seat, type SeatParts } from './Seat.js';

export interface OpenSharedOptions extends SeatParts {
  /** Takes it from another process of the same role, although that one lives. */
  readonly takeOver?: boolean | undefined;
}

/** Opens a saved conversation of a shared store: holds it if no one does and this role may, follows it otherwise. */
export async function openShared({ takeOver = false, ...parts }: OpenSharedOptions): Promise<Conversation> {
  let conversation: DecidingConversation;
  try {
    conversation = await parts.hold({ takeOver });
  } catch (error) {
    const mayFollow = error instanceof ConversationLockedError || error instanceof NotInConversationError;
    if (takeOver || !mayFollow) throw error;
    return new JoinedConversation(await Seat.follow(parts));
  }
  return holdShared(parts, conversation);
}

/** Lets others take part in a conversation of a shared store that this process has open for writing. */
export async function holdShared(
  parts: SeatParts,
  conversation: DecidingConversation,
): Promise<Conversation> {
  try {
    return new JoinedConversation(await Seat.hold(parts, conversation));
  } catch (error) {
    await conversation.close();
    throw error;
  }
}
