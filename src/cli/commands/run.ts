import { chooseTeam } from '../chooseTeam.js';
import { holdConversation } from '../holdConversation.js';
import { limitTeam, type RunFlags, warnOfUnpriced } from '../RunFlags.js';
import { readMessage } from '../readMessage.js';
import type { Surroundings } from '../Surroundings.js';

export interface RunOptions extends RunFlags {
  readonly ephemeral?: boolean;
  /** Goes on with the latest stored conversation. */
  readonly continue?: boolean;
}

/** One conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, surroundings: Surroundings): Promise<number> {
  const message = await readMessage(options, surroundings);
  if (!options.continue) return runMessage(message, options, surroundings);
  const { resumeSession } = await import('../resumeSession.js');
  return resumeSession({ ...options, begin: (conversation) => conversation.send(message) }, surroundings);
}

/** Kept unless it is not to be. */
export async function runMessage(
  message: string,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { workingFolder, teamFile, trustedPrograms, ...chosen } = await chooseTeam(
    { ...options, isRehearsal: false },
    surroundings,
  );
  const team = limitTeam(chosen.team, options);
  warnOfUnpriced(team, options, surroundings);
  const { outputFormat, ephemeral = false, debugFile } = options;
  return holdConversation(
    {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      begin: (conversation) => conversation.send(message),
      format: outputFormat,
      ...(!ephemeral && { keeping: {} }),
      ...(debugFile !== undefined && { debugFile }),
    },
    surroundings,
  );
}
