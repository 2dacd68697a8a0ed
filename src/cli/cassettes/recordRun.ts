import { mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeCassette } from '../../cassette/makeCassette.js';
import { InvalidCassetteError } from '../../cassette/openCassette.js';
import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { writePieces } from '../../config/privateFile.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { Team } from '../../models/Team.js';
import { toArray } from '../../utils/AnyIterable.js';
import { formatJson } from '../../utils/formatJson.js';
import { runConversation } from '../sessions/runConversation.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, printPieces, say, stopOf } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import type { RunFlags } from '../start/RunFlags.js';
import { readMessage, requireNoSlip } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { chooseTeam } from '../team/chooseTeam.js';

export interface RecordRunOptions extends RunFlags {
  /** The file to write. */
  readonly record: string;
  /** A file that exists is replaced. */
  readonly force?: boolean;
}

/** Runs one conversation to its end, and writes a recording of it, however it ended; unless it was stopped from outside. */
export async function runRecorded(
  { record, force, ...options }: RecordRunOptions,
  context: CliContext,
): Promise<number> {
  requireForceInCi('--record', force, context);
  const target = requireTarget(record, { force }, context);
  const message = await readMessage(options, context);
  const chosen = await chooseTeam({ ...options, isRehearsal: false }, context);
  if (chosen.teamFile === undefined) throw new HuddleError('TEAM_FILE_MISSING', words.cassette.noTeamFile);
  requireNoSlip(options, chosen.team);
  const events = new Map<number, RecordedEvent>();
  let id = '';
  const begin = async (conversation: Conversation): Promise<void> => {
    id = conversation.id;
    conversation.subscribe((event) => 'seq' in event && events.set(event.seq, event));
    for await (const event of conversation.history()) events.set(event.seq, event);
    await conversation.send(message);
  };
  const { outputFormat, final, debugFile, ephemeral } = options;
  const persistence = ephemeral ? undefined : {};
  const settings = { ...chosen, outputFormat, final, debugFile, begin, persistence };
  const exitCode = await runConversation(settings, context);
  if (stopOf(context) !== undefined) {
    const { stopped, stoppedSaved } = words.recording;
    say(context, options.ephemeral ? stopped : stoppedSaved(id));
    return exitCode;
  }
  const { team, workingFolder: folder } = chosen;
  const inOrder = [...events.values()].sort((one, other) => one.seq - other.seq);
  await recordCassette({ events: inOrder, team, folder }, target, context);
  return exitCode;
}

export interface CassetteOptions {
  readonly id?: string;
  readonly output?: string;
  readonly force?: boolean;
  /** A team file. */
  readonly team?: string;
}

/** Makes a recording of a stored conversation, for tests that play it. */
export function makeCassetteOfSession(options: CassetteOptions, context: CliContext): Promise<number> {
  const { id, output, force, team: teamFile } = options;
  const target = output === undefined ? undefined : requireTarget(output, { force }, context);
  return withSession(id, context, async ({ reader, summary }) => {
    const events: RecordedEvent[] = await toArray(reader.read());
    if (teamFile === undefined && (await context.project.locate()) === undefined)
      throw new HuddleError('TEAM_FILE_MISSING', words.cassette.noTeamFile);
    const { team, workingFolder } = await chooseTeam({ team: teamFile, isRehearsal: true }, context);
    const folder = summary.folder ?? workingFolder;
    await recordCassette({ events, team, folder }, target, context);
    return EXIT_CODES.done;
  });
}

/** A log that is to become a recording. */
interface RecordedRun {
  readonly events: readonly RecordedEvent[];
  /** The team it is played with before it is written. */
  readonly team: Team;
  /** The folder that the agents worked in. */
  readonly folder: string;
}

/** Masks a log, plays it once, and writes it; without a file to standard output. */
async function recordCassette(
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

/** Finds the file that a recording is to be written to. Anything wrong with it is reported before an agent is started. */
function requireTarget(
  file: string,
  { force = false }: { readonly force?: boolean | undefined },
  context: CliContext,
): string {
  const target = resolve(context.workingFolder, file);
  const shown = showPath(target, context);
  const found = statOf(target);
  if (found?.isDirectory()) throw new UsageError(words.recording.isFolder(shown));
  if (found !== undefined && !force) throw new UsageError(words.recording.exists(shown));
  if (!isFolderPossible(dirname(target)))
    throw new UsageError(words.recording.noFolder(showPath(dirname(target), context)));
  return target;
}

/** Whether a folder is there or can be made: no file is in its way. */
function isFolderPossible(folder: string): boolean {
  return statOf(folder)?.isDirectory() ?? isFolderPossible(dirname(folder));
}

/** Undefined: nothing is there, or a file is in the way. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Refuses to change recordings where tests run: each of them would pass. */
export function requireForceInCi(flag: string, force: boolean | undefined, { env }: CliContext): void {
  const isInCi = !['', '0', 'false'].includes(env.CI ?? '');
  if (isInCi && !force) throw new UsageError(words.recording.notInCi(flag));
}

/** Writes a recording, all of it or nothing, with the folder it is in. */
export async function writeTarget(
  target: string,
  events: readonly RecordedEvent[],
  context: CliContext,
): Promise<void> {
  try {
    mkdirSync(dirname(target), { recursive: true });
    await writePieces(target, formatLines(events));
  } catch (cause) {
    const shown = showPath(target, context);
    throw new HuddleError('CANNOT_WRITE', words.recording.cannotWrite(shown, describeSystemError(cause)), {
      cause,
    });
  }
}

/** A recording as its file has it, a line an event. */
function* formatLines(events: readonly RecordedEvent[]): Generator<string> {
  for (const event of events) yield `${formatJson(event)}\n`;
}
