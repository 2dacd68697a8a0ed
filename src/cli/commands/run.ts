import { words } from '../../catalogue/words.js';
import type { CliContext } from '../CliContext.js';
import { chooseTeam } from '../chooseTeam.js';
import { readMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { type NewRunFlags, runTeam } from '../runTeam.js';

export interface RunOptions extends NewRunFlags {
  /** Continues the latest stored conversation. */
  readonly continue?: boolean;
  /** Writes a recording of the run to this file. */
  readonly record?: string;
  /** Plays this recording. */
  readonly cassette?: string;
  /** Changes the recording to what was played. */
  readonly accept?: boolean;
  /** A recording that exists is replaced. */
  readonly force?: boolean;
}

/** Runs one conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  if (options.record !== undefined) {
    const { runRecorded } = await import('../runRecorded.js');
    return runRecorded({ ...options, record: options.record }, context);
  }
  if (options.accept) {
    const { cassette } = options;
    if (cassette === undefined) throw new UsageError(words.recording.needsCassette('--accept'));
    const { acceptCassette } = await import('../acceptCassette.js');
    return acceptCassette({ ...options, cassette }, context);
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
