import type { CliContext } from '../CliContext.js';
import { chooseTeam } from '../chooseTeam.js';
import { limitTeam, type RunFlags, warnOfUnpriced } from '../RunFlags.js';
import { readMessage } from '../readMessage.js';
import { runConversation } from '../runConversation.js';

export interface RunOptions extends RunFlags {
  readonly ephemeral?: boolean;
  /** Goes on with the latest stored conversation. */
  readonly continue?: boolean;
}

/** One conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  const message = await readMessage(options, context);
  if (!options.continue) return runMessage(message, options, context);
  const { resumeSession } = await import('../resumeSession.js');
  return resumeSession({ ...options, begin: (conversation) => conversation.send(message) }, context);
}

/** Kept unless it is not to be. */
export async function runMessage(message: string, options: RunOptions, context: CliContext): Promise<number> {
  const { workingFolder, teamFile, trustedPrograms, ...chosen } = await chooseTeam(
    { ...options, isRehearsal: false },
    context,
  );
  const team = limitTeam(chosen.team, options);
  warnOfUnpriced(team, options, context);
  const { outputFormat, ephemeral = false, debugFile } = options;
  return runConversation(
    {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      begin: (conversation) => conversation.send(message),
      format: outputFormat,
      ...(!ephemeral && { persistence: {} }),
      ...(debugFile !== undefined && { debugFile }),
    },
    context,
  );
}
