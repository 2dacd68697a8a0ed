import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../CliContext.js';
import { chooseTeam } from '../chooseTeam.js';
import type { RunFlags } from '../RunFlags.js';
import { readMessage } from '../readMessage.js';
import { runConversation } from '../runConversation.js';

export interface RunOptions extends RunFlags {
  readonly ephemeral?: boolean;
  /** Continues the latest stored conversation. */
  readonly continue?: boolean;
}

/** Runs one conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  const message = await readMessage(options, context);
  if (!options.continue) return runMessage(message, options, context);
  const { resumeSession } = await import('../resumeSession.js');
  return resumeSession({ ...options, begin: (conversation) => conversation.send(message) }, context);
}

/** Saves the conversation unless it is ephemeral. */
export async function runMessage(message: string, options: RunOptions, context: CliContext): Promise<number> {
  const chosen = await chooseTeam({ ...options, isRehearsal: false }, context);
  const { outputFormat, final, debugFile, ephemeral } = options;
  const begin = (conversation: Conversation) => conversation.send(message);
  const persistence = ephemeral ? undefined : {};
  return runConversation({ ...chosen, outputFormat, final, debugFile, begin, persistence }, context);
}
