import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { loadMachineKey, resolveKeyFile } from '../../config/machineKey.js';
import { askWorkers } from '../../machines/askTurn.js';
import { FleetHolder, type FleetNews } from '../../machines/holdFleet.js';
import type { WorkerMemory } from '../../machines/WorkerMemory.js';
import { HuddleError } from '../../models/errors.js';
import type { WorkerFile } from '../../models/WorkerFile.js';
import type { SharedStore } from '../../store/postgres/SharedStore.js';
import type { Logger } from '../../utils/logger.js';
import type { CliContext } from '../start/CliContext.js';
import { createFleetTeams } from './fleetTeams.js';

export interface FleetSetting {
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
