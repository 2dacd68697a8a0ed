import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type { AgentAdapter } from '../../agents/AgentAdapter.js';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { loadTeamFile } from '../../config/loadTeamFile.js';
import { loadMachineKey, resolveKeyFile } from '../../config/machineKey.js';
import { type ConversationOptions, holdConversation } from '../../createConversation.js';
import { askWorkers } from '../../machines/askTurn.js';
import {
  FleetHolder,
  type FleetNews,
  type FleetOpening,
  FleetRefusedError,
  type FleetTeam,
} from '../../machines/holdFleet.js';
import type { WorkerMemory } from '../../machines/WorkerMemory.js';
import { HuddleError } from '../../models/errors.js';
import type { WorkerFile, WorkerTeam } from '../../models/WorkerFile.js';
import type { SharedStore } from '../../store/postgres/SharedStore.js';
import type { Logger } from '../../utils/logger.js';
import type { CliContext } from '../start/CliContext.js';

interface FleetSetting {
  readonly file: WorkerFile;
  readonly store: SharedStore;
  readonly memory: WorkerMemory;
  readonly logger: Logger;
  /** Files that agents do not get through us. */
  readonly hiddenFiles: readonly string[];
  /** Tells people what happens. */
  readonly tell: (line: string) => void;
}

/** Holds conversations of the teams of a worker's file. */
export async function createFleet(setting: FleetSetting, context: CliContext): Promise<FleetHolder> {
  const { file, store, memory, logger, hiddenFiles, tell } = setting;
  const { configFile, dataFolder, env } = context;
  if (configFile === undefined) throw new HuddleError('CONFIG_INVALID', words.stores.noConfigFolder);
  const key = await loadMachineKey(resolveKeyFile(configFile));
  const remote = askWorkers({ store, key, isUrgent: false });
  const loadTeam = createFleetTeams({ file, store, remote, logger, hiddenFiles, dataFolder, env });
  const { role } = store.database;
  return new FleetHolder({
    store,
    file,
    memory,
    loadTeam,
    logger,
    onNews: (news) => tell(describeNews(news, role)),
  });
}

function describeNews(news: FleetNews, worker: string): string {
  const { fleet } = words;
  if (news.kind !== 'refused') return fleet.news[news.kind](news.id);
  const { id, refusal, cause } = news;
  const why = describeError(new HuddleError('FLEET_REFUSED', { worker, refusal }));
  return fleet.news.refused(id, cause === undefined ? why : `${why} ${describeCause(cause)}`);
}

function describeCause(cause: unknown): string {
  if (cause instanceof HuddleError) return describeError(cause);
  return cause instanceof Error ? cause.message : String(cause);
}

/** So long a folder may take to be prepared: a large project is copied from far away. */
const PREPARING_MILLISECONDS = 10 * 60_000;
const MOST_OUTPUT_BYTES = 1024 ** 2;

interface FleetSettings
  extends Pick<ConversationOptions, 'dataFolder' | 'hiddenFiles' | 'logger' | 'rehearsal'> {
  readonly file: Pick<WorkerFile, 'teams'>;
  /** Asks workers, also those of this role, for turns of members that run elsewhere. */
  readonly remote: AgentAdapter;
  readonly store: SharedStore;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Teams of a worker's file, by name: what they start is in files of this machine alone. */
function createFleetTeams({ file, env, ...settings }: FleetSettings): (name: string) => Promise<FleetTeam> {
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
