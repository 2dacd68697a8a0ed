import type { Conversation } from '../../coordinator/Conversation.js';
import type { ForkedConversation } from '../../coordinator/forkConversation.js';

/** Things a command that is typed in an editor may use. */
export interface EditorCommandContext {
  readonly conversation: Conversation;
  /** Name of the person who types. */
  readonly as?: string | undefined;
  /** Saves a copy of the session, which continues on its own. */
  fork(): Promise<ForkedConversation>;
}
