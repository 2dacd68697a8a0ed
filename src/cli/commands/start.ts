import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { resumeSession, showStatus } from '../sessions/resumeSession.js';
import type { CliContext } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import { awaitMessage, findMessage, readMessage } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { type ChatOptions, canChat, chat, rehearseChat, resumeChat } from './chat.js';
import { rehearseMessage } from './rehearse.js';
import { runMessage } from './run.js';

export interface StartFlags
  extends Pick<ChatOptions, 'plain'>,
    Pick<RunFlags, 'message' | 'model' | 'readOnly' | 'nested'> {
  /** Continues the latest session of this folder. */
  readonly continue?: boolean;
  /** Simulated agents answer in place of the team's. */
  readonly rehearse?: boolean;
}

/** `huddle` and `huddle "message"`: opens a conversation in a terminal; elsewhere does what `run` does. */
export async function start(options: StartFlags, context: CliContext): Promise<number> {
  if (options.message?.trim() === '') throw new UsageError(words.cli.emptyMessage(words.cli.fromArgument));
  if (options.continue) return continueLatest(options, context);
  const { rehearse: isRehearsal = false } = options;
  if (canChat(context)) {
    const open = isRehearsal ? rehearseChat : chat;
    return open(await chooseTeam({ ...options, isRehearsal }, context), context, options);
  }
  const message =
    options.message === undefined ? await awaitMessage(context) : await readMessage(options, context);
  if (message === undefined) throw new UsageError(words.cli.nothingToDo);
  if (isRehearsal)
    return rehearseMessage(message, { ...options, outputFormat: 'text', noPrompts: true }, context);
  return runMessage(message, { ...options, outputFormat: 'text' }, context);
}

/** `huddle -c`: the same with the latest session of this folder; without a message it shows its status. */
async function continueLatest(options: StartFlags, context: CliContext): Promise<number> {
  if (canChat(context)) return resumeChat(options, context);
  const message =
    options.message === undefined ? await findMessage(context) : await readMessage(options, context);
  if (message === undefined) return showStatus(undefined, context);
  const begin = (conversation: Conversation) => conversation.send(message);
  return resumeSession({ ...options, outputFormat: 'text', begin }, context);
}
