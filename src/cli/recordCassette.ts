import { makeCassette } from '../cassette/makeCassette.js';
import { InvalidCassetteError } from '../cassette/openCassette.js';
import { describeError } from '../catalogue/errors.js';
import { words } from '../catalogue/words.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { Team } from '../models/Team.js';
import { formatLines, writeTarget } from './cassetteTarget.js';
import { type CliContext, printPieces, say } from './start/CliContext.js';
import { showPath } from './start/showPath.js';

/** A log that is to become a recording. */
export interface RecordedRun {
  readonly events: readonly RecordedEvent[];
  /** The team it is played with before it is written. */
  readonly team: Team;
  /** The folder that the agents worked in. */
  readonly folder: string;
}

/** Masks a log, plays it once, and writes it; without a file to standard output. */
export async function recordCassette(
  run: RecordedRun,
  target: string | undefined,
  context: CliContext,
): Promise<void> {
  const { cassette, differences, masked } = await make(run, target, context);
  if (target === undefined) await printPieces(context, formatLines(cassette));
  else {
    await writeTarget(target, cassette, context);
    const shown = showPath(target, context);
    const turns = cassette.filter(({ type }) => type === 'turn-start').length;
    say(context, words.recording.recorded(shown, turns, masked));
    say(context, words.recording.toPlay(shown));
  }
  if (differences.length > 0) say(context, words.cli.warning(words.recording.differs(differences.length)));
}

async function make({ events, team, folder }: RecordedRun, target: string | undefined, context: CliContext) {
  const { homeFolder: home, env, stop } = context;
  try {
    return await makeCassette({ events, team, place: { folder, home, env }, signal: stop.signal });
  } catch (error) {
    if (target === undefined || !(error instanceof HuddleError)) throw error;
    throw new HuddleError(error.code, explain(error, showPath(target, context)), { cause: error });
  }
}

function explain(error: HuddleError, file: string): string {
  const { cutOff, notRecorded } = words.recording;
  if (error instanceof InvalidCassetteError && error.fault.kind === 'cut-off')
    return cutOff(file, error.fault.turnIds);
  return notRecorded(file, describeError(error));
}
