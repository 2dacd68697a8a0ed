import { resolve } from 'node:path';
import type { Difference } from '../../cassette/Difference.js';
import { formatDifferences } from '../../cassette/formatDifferences.js';
import { acceptPlay } from '../../cassette/makeCassette.js';
import { createMask, type MaskedPlace } from '../../cassette/maskText.js';
import type { Cassette } from '../../cassette/openCassette.js';
import { InvalidCassetteError, openCassette } from '../../cassette/openCassette.js';
import {
  type CassetteMatch,
  namesOfMembers,
  type PlayedCassette,
  playOpened,
} from '../../cassette/playCassette.js';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { replayConversation } from '../../frontends/print/printConversation.js';
import { HuddleError } from '../../models/errors.js';
import { createPrinter } from '../sessions/createPrinter.js';
import { type CliContext, exitCodeAfter, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import type { RunFlags } from '../start/RunFlags.js';
import { readMessage } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { type ChosenTeam, chooseTeam } from '../team/chooseTeam.js';
import { requireForceInCi, writeTarget } from './recordRun.js';

export interface PlayRunOptions extends RunFlags {
  /** The recording. */
  readonly cassette: string;
  readonly match?: CassetteMatch;
}

/** A cassette that was played, and what it was played with. */
interface PlayedRun extends PlayedCassette {
  readonly chosen: ChosenTeam;
}

/** Plays a cassette with the team of now, prints it as `run` does, and says what differs. Nothing is started or kept. */
export async function playRun(options: PlayRunOptions, context: CliContext): Promise<number> {
  const { outputFormat, final } = options;
  const played = await play(options, context);
  const { events, differences, notes } = played;
  const printer = createPrinter({ outputFormat, final, found: { differences, notes } }, context);
  await replayConversation(events, printer);
  const { notes: uncounted, differs, same } = words.cassette;
  if (notes.length > 0) say(context, uncounted(notes.length));
  sayDifferences([...notes, ...differences], played, context);
  const turns = events.filter(({ type }) => type === 'turn-start').length;
  say(context, differences.length > 0 ? differs(differences.length) : same(turns));
  return exitCodeAfter(context, differences.length > 0 ? EXIT_CODES.differs : EXIT_CODES.done);
}

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
  const played = await play({ ...options, match: 'all' }, context);
  const { differences } = played;
  if (differences.length === 0) {
    say(context, words.recording.nothingToAccept(shown));
    return EXIT_CODES.done;
  }
  sayDifferences(differences, played, context);
  const accepted = acceptPlay(played);
  if (accepted === undefined) {
    say(context, words.recording.otherOrder(shown));
    return EXIT_CODES.differs;
  }
  await writeTarget(file, accepted, context);
  say(context, words.recording.accepted(shown, differences.length));
  return EXIT_CODES.done;
}

function sayDifferences(
  differences: readonly Difference[],
  { events, chosen }: PlayedRun,
  context: CliContext,
): void {
  for (const line of formatDifferences(differences, namesOfMembers(events, chosen.team))) say(context, line);
}

/** Plays a cassette with the team of now. */
async function play(options: PlayRunOptions, context: CliContext): Promise<PlayedRun> {
  const cassette = open(options.cassette, context);
  if (options.team === undefined && (await context.project.locate()) === undefined)
    throw new HuddleError('TEAM_FILE_MISSING', words.cassette.noTeamFile);
  // Like a rehearsal it starts nothing, so no trust is needed.
  const chosen = await chooseTeam({ ...options, isRehearsal: true }, context);
  const { env, homeFolder: home, stop } = context;
  const place = { folder: chosen.workingFolder, home, env };
  await requireRecorded(cassette, place, options, context);
  const { match } = options;
  const { team } = chosen;
  return { ...(await playOpened(cassette, { team, match, place, signal: stop.signal })), chosen };
}

function open(file: string, context: CliContext): Cassette {
  const found = resolve(context.workingFolder, file);
  try {
    return openCassette({ file: found });
  } catch (error) {
    if (error instanceof InvalidCassetteError)
      throw new InvalidCassetteError({ file: showPath(found, context), fault: error.fault });
    throw new UsageError(words.cli.cannotRead(showPath(found, context), describeSystemError(error)));
  }
}

/** Refuses a message that is not the first one of the recording: what follows from it is not known. */
async function requireRecorded(
  { events, isRedacted }: Cassette,
  place: MaskedPlace,
  options: PlayRunOptions,
  context: CliContext,
): Promise<void> {
  if (options.message === undefined && options.file === undefined) return;
  const message = await readMessage(options, context);
  const first = events.find((event) => event.type === 'message-added' && event.turnId === undefined);
  const said = isRedacted ? createMask(place)(message) : message;
  if (first?.type !== 'message-added' || first.message.content !== said)
    throw new UsageError(words.cassette.otherMessage(options.cassette));
}
