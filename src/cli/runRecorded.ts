import { words } from '../catalogue/words.js';
import type { Conversation } from '../coordinator/Conversation.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { requireForceInCi, requireTarget } from './cassetteTarget.js';
import { recordCassette } from './recordCassette.js';
import { type NewRunFlags, runTeam } from './sessions/runTeam.js';
import { type CliContext, say, stopOf } from './start/CliContext.js';
import { readMessage, requireNoSlip } from './start/readMessage.js';
import { chooseTeam } from './team/chooseTeam.js';

export interface RecordRunOptions extends NewRunFlags {
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
  const exitCode = await runTeam(chosen, begin, options, context);
  if (stopOf(context) !== undefined) {
    const { stopped, stoppedSaved } = words.recording;
    say(context, options.ephemeral ? stopped : stoppedSaved(id));
    return exitCode;
  }
  const { team, workingFolder: folder } = chosen;
  await recordCassette({ events: inOrder(events), team, folder }, target, context);
  return exitCode;
}

function inOrder(events: ReadonlyMap<number, RecordedEvent>): readonly RecordedEvent[] {
  return [...events.values()].sort((one, other) => one.seq - other.seq);
}
