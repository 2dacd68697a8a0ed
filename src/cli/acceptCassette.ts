import { resolve } from 'node:path';
import { formatDifferences } from '../cassette/formatDifferences.js';
import { acceptPlay } from '../cassette/makeCassette.js';
import { namesOfMembers } from '../cassette/playCassette.js';
import { words } from '../catalogue/words.js';
import { requireForceInCi, writeTarget } from './cassetteTarget.js';
import { type PlayRunOptions, playFile } from './playRun.js';
import { type CliContext, say } from './start/CliContext.js';
import { EXIT_CODES } from './start/exitCodes.js';
import { showPath } from './start/showPath.js';

export interface AcceptOptions extends PlayRunOptions {
  /** Writes it also where `CI` is set. */
  readonly force?: boolean;
}

/**
 * Plays a recording and writes it again with the prompts, settings and decisions of the team as it is now; the answers stay.
 * Shows everything that it accepts. If other turns would run, nothing is written.
 */
export async function acceptCassette(options: AcceptOptions, context: CliContext): Promise<number> {
  requireForceInCi('--accept', options.force, context);
  const file = resolve(context.workingFolder, options.cassette);
  const shown = showPath(file, context);
  const played = await playFile({ ...options, match: 'all' }, context);
  const { events, differences, chosen } = played;
  if (differences.length === 0) {
    say(context, words.recording.nothingToAccept(shown));
    return EXIT_CODES.done;
  }
  for (const line of formatDifferences(differences, namesOfMembers(events, chosen.team))) say(context, line);
  const accepted = acceptPlay(played);
  if (accepted === undefined) {
    say(context, words.recording.otherOrder(shown));
    return EXIT_CODES.differs;
  }
  await writeTarget(file, accepted, context);
  say(context, words.recording.accepted(shown, differences.length));
  return EXIT_CODES.done;
}
