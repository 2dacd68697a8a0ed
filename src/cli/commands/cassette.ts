import { words } from '../../catalogue/words.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import { toArray } from '../../utils/AnyIterable.js';
import { requireTarget } from '../cassetteTarget.js';
import { recordCassette } from '../recordCassette.js';
import { withSession } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { locateTeam } from '../team/locateTeam.js';

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
    if (teamFile === undefined && (await locateTeam(context)) === undefined)
      throw new HuddleError('TEAM_FILE_MISSING', words.cassette.noTeamFile);
    const { team, workingFolder } = await chooseTeam({ team: teamFile, isRehearsal: true }, context);
    const folder = summary.folder ?? workingFolder;
    await recordCassette({ events, team, folder }, target, context);
    return EXIT_CODES.done;
  });
}
