import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type { AgentAdapter } from '../../agents/AgentAdapter.js';
import { loadTeamFile } from '../../config/loadTeamFile.js';
import { type ConversationOptions, holdConversation } from '../../createConversation.js';
import { type FleetOpening, FleetRefusedError, type FleetTeam } from '../../machines/holdFleet.js';
import type { WorkerFile, WorkerTeam } from '../../models/WorkerFile.js';
import type { SharedStore } from '../../store/postgres/SharedStore.js';

/** So long a folder may take to be prepared: a large project is copied from far away. */
const PREPARING_MILLISECONDS = 10 * 60_000;
const MOST_OUTPUT_BYTES = 1024 ** 2;

export interface FleetSettings
  extends Pick<ConversationOptions, 'dataFolder' | 'hiddenFiles' | 'logger' | 'rehearsal'> {
  readonly file: Pick<WorkerFile, 'teams'>;
  /** Asks workers, also those of this role, for turns of members that run elsewhere. */
  readonly remote: AgentAdapter;
  readonly store: SharedStore;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Teams of a worker's file, by name: what they start is in files of this machine alone. */
export function createFleetTeams({
  file,
  env,
  ...settings
}: FleetSettings): (name: string) => Promise<FleetTeam> {
  return async (name) => {
    const entry = file.teams.get(name);
    if (entry === undefined) throw new FleetRefusedError({ because: 'no-team', team: name });
    const { team } = await loadTeamFile(entry.file, { interactive: false }).catch((error: unknown) => {
      throw new FleetRefusedError({ because: 'team-unusable', team: name }, error);
    });
    const open = async (opening: FleetOpening) => {
      const { subject, ...conversation } = opening;
      const workingFolder = await prepare(entry, subject, env).catch((error: unknown) => {
        throw new FleetRefusedError({ because: 'not-prepared', team: name }, error);
      });
      const place = { teamFile: entry.file, workingFolder, environment: env };
      return holdConversation({ ...settings, ...conversation, ...place, team });
    };
    return { team, open };
  };
}

/** The folder of a conversation: the last line that the program of the team prints, or the folder of the team itself. */
async function prepare(
  { folder, prepare: command }: WorkerTeam,
  subject: string | undefined,
  env: FleetSettings['env'],
): Promise<string> {
  const [program, ...args] = command ?? [];
  if (program === undefined) return folder;
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: folder,
    env: { ...env, HUDDLE_SUBJECT: subject ?? '' },
    timeout: PREPARING_MILLISECONDS,
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  const prepared = stdout.trimEnd().split(/\r?\n/u).at(-1) ?? '';
  if (!isAbsolute(prepared) || !statSync(prepared, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`${program}: ${JSON.stringify(prepared)}`);
  return prepared;
}
