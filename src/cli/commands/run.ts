import type { CassetteMatch } from '../../cassette/playCassette.js';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { FleetFlags } from '../serve/runOnFleet.js';
import { runConversation } from '../sessions/runConversation.js';
import type { CliContext } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import { readMessage, requireNoSlip } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { chooseTeam } from '../team/chooseTeam.js';

export interface RunOptions extends RunFlags, FleetFlags {
  /** Continues the latest stored conversation. */
  readonly continue?: boolean;
  /** Writes a recording of the run to this file. */
  readonly record?: string;
  /** A recording that is played instead. */
  readonly cassette?: string;
  readonly match?: CassetteMatch;
  /** Changes the recording to what was played. */
  readonly accept?: boolean;
  /** A recording that exists is replaced. */
  readonly force?: boolean;
}

/** Runs one conversation to its end. The message is read first: without one nothing is looked for, let alone started. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  const { cassette, record, accept = false, force = false } = options;
  if (cassette === undefined && accept) throw new UsageError(words.recording.needsCassette('--accept'));
  if (cassette === undefined && options.match !== undefined)
    throw new UsageError(words.recording.needsCassette('--match'));
  if (force && record === undefined && !accept) throw new UsageError(words.recording.forceAlone);
  if (options.on !== undefined) {
    const { runOnFleet } = await import('../serve/runOnFleet.js');
    return runOnFleet({ ...options, on: options.on }, context);
  }
  if (options.subject !== undefined) throw new UsageError(words.fleet.needsOn('--subject'));
  if (options.detach) throw new UsageError(words.fleet.needsOn('--detach'));
  if (cassette !== undefined) {
    const { acceptCassette, playRun } = await import('../cassettes/playRun.js');
    return (accept ? acceptCassette : playRun)({ ...options, cassette }, context);
  }
  if (record !== undefined) {
    const { runRecorded } = await import('../cassettes/recordRun.js');
    return runRecorded({ ...options, record }, context);
  }
  const message = await readMessage(options, context);
  if (!options.continue) return runMessage(message, options, context);
  const { resumeSession } = await import('../sessions/resumeSession.js');
  return resumeSession({ ...options, begin: (conversation) => conversation.send(message) }, context);
}

/** Saves the conversation unless it is ephemeral. */
export async function runMessage(message: string, options: RunOptions, context: CliContext): Promise<number> {
  const chosen = await chooseTeam({ ...options, isRehearsal: false }, context);
  requireNoSlip(options, chosen.team);
  const { outputFormat, final, debugFile, ephemeral } = options;
  const begin = (conversation: Conversation) => conversation.send(message);
  const persistence = ephemeral ? undefined : {};
  return runConversation({ ...chosen, outputFormat, final, debugFile, begin, persistence }, context);
}
