import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../CliContext.js';
import { type ChosenTeam, chooseTeam } from '../chooseTeam.js';
import type { RunFlags } from '../RunFlags.js';
import { readMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { runConversation } from '../runConversation.js';

export interface RunOptions extends RunFlags {
  readonly ephemeral?: boolean;
  /** Continues the latest stored conversation. */
  readonly continue?: boolean;
  /** Writes a recording of the run to this file. */
  readonly record?: string;
  /** A recording that exists is replaced. */
  readonly force?: boolean;
}

/** Runs one conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  if (options.record !== undefined) {
    const { runRecorded } = await import('../runRecorded.js');
    return runRecorded({ ...options, record: options.record }, context);
  }
  if (options.force) throw new UsageError(words.recording.forceAlone);
  const message = await readMessage(options, context);
  if (!options.continue) return runMessage(message, options, context);
  const { resumeSession } = await import('../resumeSession.js');
  return resumeSession({ ...options, begin: (conversation) => conversation.send(message) }, context);
}

/** Saves the conversation unless it is ephemeral. */
export async function runMessage(message: string, options: RunOptions, context: CliContext): Promise<number> {
  const chosen = await chooseTeam({ ...options, isRehearsal: false }, context);
  return runTeam(chosen, (conversation) => conversation.send(message), options, context);
}

/** Runs a conversation of this team. */
export function runTeam(
  chosen: ChosenTeam,
  begin: (conversation: Conversation) => Promise<unknown>,
  { outputFormat, final, debugFile, ephemeral }: RunOptions,
  context: CliContext,
): Promise<number> {
  const persistence = ephemeral ? undefined : {};
  return runConversation({ ...chosen, outputFormat, final, debugFile, begin, persistence }, context);
}
