import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../CliContext.js';
import { chooseTeam } from '../chooseTeam.js';
import { awaitMessage, findMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { resumeSession, showStatus } from '../resumeSession.js';
import { type ChatOptions, canChat, chat, rehearseChat, resumeChat } from './chat.js';
import { rehearse } from './rehearse.js';
import { runMessage } from './run.js';

export interface StartFlags extends Pick<ChatOptions, 'plain'> {
  readonly nested?: boolean;
  /** Continues the latest session of this folder. */
  readonly continue?: boolean;
  /** Simulated agents answer in place of the team's. */
  readonly rehearse?: boolean;
}

/** `huddle` alone: opens a conversation in a terminal; elsewhere what is piped in is the message of a run. */
export async function start(options: StartFlags, context: CliContext): Promise<number> {
  if (options.continue) return continueLatest(options, context);
  const { plain, nested, rehearse: isRehearsal = false } = options;
  if (canChat(context)) {
    const open = isRehearsal ? rehearseChat : chat;
    return open(await chooseTeam({ isRehearsal, nested }, context), context, { plain });
  }
  const message = await awaitMessage(context);
  if (message === undefined) throw new UsageError(words.cli.nothingToDo);
  if (isRehearsal) return rehearse({ message, outputFormat: 'text', prompts: false }, context);
  return runMessage(message, { outputFormat: 'text', nested }, context);
}

/** `huddle -c`: the same with the latest session of this folder; without a message it shows its status. */
async function continueLatest({ plain, nested }: StartFlags, context: CliContext): Promise<number> {
  if (canChat(context)) return resumeChat({ plain, nested }, context);
  const message = await findMessage(context);
  if (message === undefined) return showStatus(undefined, context);
  const begin = (conversation: Conversation) => conversation.send(message);
  return resumeSession({ outputFormat: 'text', nested, begin }, context);
}
