import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../CliContext.js';
import { findMessage } from '../readMessage.js';
import { resumeSession } from '../resumeSession.js';
import { showStatus } from '../showStatus.js';
import { canChat, resumeChat } from './chat.js';
import type { StartFlags } from './start.js';

/** `huddle -c`: goes on with the latest session of this folder, by talking or with what is on standard input; else says where it stands. */
export async function continueLatest(context: CliContext, options: StartFlags = {}): Promise<number> {
  if (canChat(context)) return resumeChat(options, context);
  const message = await findMessage(context);
  if (message === undefined) return showStatus(undefined, context);
  const begin = (conversation: Conversation) => conversation.send(message);
  return resumeSession({ outputFormat: 'text', nested: options.nested, begin }, context);
}
