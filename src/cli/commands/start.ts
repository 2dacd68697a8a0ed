import { english } from '../../catalogue/english.js';
import type { CliContext } from '../CliContext.js';
import { chooseTeam } from '../chooseTeam.js';
import { awaitMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { type ChatOptions, canChat, chat } from './chat.js';
import { runMessage } from './run.js';

export interface StartFlags extends Pick<ChatOptions, 'plain'> {
  readonly nested?: boolean;
}

/** `huddle` alone: in a terminal people talk, elsewhere what is piped in is the message of a run. */
export async function start(context: CliContext, options: StartFlags = {}): Promise<number> {
  const { plain, nested } = options;
  if (canChat(context))
    return chat(await chooseTeam({ isRehearsal: false, nested }, context), context, { plain });
  const message = await awaitMessage(context);
  if (message === undefined) throw new UsageError(english.cli.nothingToDo);
  return runMessage(message, { outputFormat: 'text', nested }, context);
}
