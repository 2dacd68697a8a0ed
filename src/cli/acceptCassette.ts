import { resolve } from 'node:path';
import { acceptPlay } from '../cassette/acceptPlay.js';
import { formatDifferences } from '../cassette/formatDifferences.js';
import { namesOfMembers, playCassette } from '../cassette/playCassette.js';
import { describeSystemError } from '../catalogue/errors.js';
import { words } from '../catalogue/words.js';
import { HuddleError } from '../models/errors.js';
import { type CliContext, say } from './CliContext.js';
import { requireForceInCi, writeTarget } from './cassetteTarget.js';
import { chooseTeam } from './chooseTeam.js';
import { EXIT_CODES } from './exitCodes.js';
import { locateTeam } from './locateTeam.js';
import type { RunFlags } from './RunFlags.js';
import { UsageError } from './reportError.js';
import { showPath } from './showPath.js';

export interface AcceptOptions extends RunFlags {
  /** The recording. */
  readonly cassette: string;
  /** Writes it also where `CI` is set. */
  readonly force?: boolean;
}

/**
 * Plays a recording and writes it again with the prompts, settings and decisions of the team as it is now; the answers stay.
 * Shows everything that it accepts. If other turns would run, nothing is written.
 */
export async function acceptCassette(
  { cassette, message, force, ...options }: AcceptOptions,
  context: CliContext,
): Promise<number> {
  requireForceInCi('--accept', force, context);
  if (message !== undefined || options.file !== undefined)
    throw new UsageError(words.recording.acceptTakesNoMessage);
  const file = resolve(context.workingFolder, cassette);
  const shown = showPath(file, context);
  if (options.team === undefined && (await locateTeam(context)) === undefined)
    throw new HuddleError('TEAM_FILE_MISSING', words.cassette.noTeamFile);
  const { team, workingFolder: folder } = await chooseTeam({ ...options, isRehearsal: true }, context);
  const { homeFolder: home, env, stop } = context;
  const place = { folder, home, env };
  const played = await playCassette({ file, team, place, signal: stop.signal }).catch((error: unknown) => {
    throw explainUnreadableFile(error, cassette);
  });
  const { events, differences } = played;
  if (differences.length === 0) {
    say(context, words.recording.nothingToAccept(shown));
    return EXIT_CODES.done;
  }
  for (const line of formatDifferences(differences, namesOfMembers(events, team))) say(context, line);
  const accepted = acceptPlay(played);
  if (accepted === undefined) {
    say(context, words.recording.otherOrder(shown));
    return EXIT_CODES.differs;
  }
  await writeTarget(file, accepted, context);
  say(context, words.recording.accepted(shown, differences.length));
  return EXIT_CODES.done;
}

function explainUnreadableFile(error: unknown, file: string): unknown {
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfSystem ? new UsageError(words.cli.cannotRead(file, describeSystemError(error))) : error;
}
