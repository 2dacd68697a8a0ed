import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentManager } from '../../agents/AgentManager.js';
import { createAdapter } from '../../agents/definitions.js';
import { formatSeconds } from '../../catalogue/formats.js';
import { explainFailure } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import { loadWorkerFile, resolveWorkerFile } from '../../config/loadWorkerFile.js';
import { loadStores } from '../../config/stores.js';
import type { FleetHolder } from '../../machines/holdFleet.js';
import type { WorkerNews } from '../../machines/takeTurn.js';
import { Worker } from '../../machines/Worker.js';
import { WorkerMemory } from '../../machines/WorkerMemory.js';
import { HuddleError } from '../../models/errors.js';
import type { WorkerFile, WorkerMember } from '../../models/WorkerFile.js';
import { openPostgresStore } from '../../store/postgres/PostgresStore.js';
import type { Presence } from '../../store/postgres/SharedStore.js';
import type { Logger } from '../../utils/logger.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { createFleet } from '../serve/createFleet.js';
import { type CliContext, say } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { privateFiles, showPath } from '../start/paths.js';
import { UsageError } from '../start/reportError.js';
import { findExplicitName, requireStoresFile } from '../team/chooseStore.js';
import { requireUnnested } from '../trust/outerTurn.js';
import { addressOfStore } from './store.js';

export interface WorkerFlags {
  /** Default: `worker.jsonc` beside the configuration file. */
  readonly file?: string;
  readonly debugFile?: string;
}

/** `huddle worker`: runs turns of the members of this machine for others, until it is told to stop. */
export async function worker(flags: WorkerFlags, context: CliContext): Promise<number> {
  requireUnnested(context);
  const path = resolvePath(flags, context);
  if (!existsSync(path)) throw new HuddleError('CONFIG_INVALID', await describeMissing(path, context));
  const file = await loadWorkerFile({ file: path, homeFolder: context.homeFolder });
  const url = await addressOfStore(chooseName(file, context), context);
  const logger = createLogger(flags, context);
  const signals = watchSignals(() => running.running + (fleet?.held ?? 0), context);
  const store = await openPostgresStore({ url, logger });
  const { role, storeId } = store.database;
  const folder = join(context.dataFolder, 'worker');
  makePrivateFolder(context.dataFolder);
  const tell = (line: string): void => say(context, `${formatClock(new Date())} ${sanitizeToOneLine(line)}`);
  const memory = new WorkerMemory(folder, storeId);
  const running = new Worker({
    store,
    file,
    logger,
    memory,
    createAgents: (entry) => createAgents(entry, { context, path, logger }),
    tell: (news) => tell(describeNews(news, role)),
  });
  const unwatch = watchStore(store.presence, tell);
  let fleet: FleetHolder | undefined;
  try {
    const hiddenFiles = [...privateFiles(context), path];
    if (file.teams.size > 0)
      fleet = await createFleet({ file, store, memory, logger, hiddenFiles, tell }, context);
    const names = [...file.members.map(({ member }) => member.name), ...file.teams.keys()];
    say(context, sanitizeToOneLine(words.workers.here(`${role}@${hostname()}`, names, file.atOnce)));
    if (file.askers.size === 0) say(context, words.cli.warning(words.workers.noAskers));
    const { finish, stop } = signals;
    await Promise.all([running.run(finish, stop), fleet?.run(finish, stop)]);
    return EXIT_CODES.done;
  } finally {
    unwatch();
    signals.release();
    await store.close();
    logger.close();
  }
}

function resolvePath({ file }: WorkerFlags, { configFile, workingFolder }: CliContext): string {
  if (file !== undefined) return resolve(workingFolder, file);
  if (configFile === undefined) throw new HuddleError('CONFIG_INVALID', words.stores.noConfigFolder);
  return resolveWorkerFile(configFile);
}

/** Says where the file was looked for, and gives one to paste: with the store of this machine, as far as that is known. */
async function describeMissing(path: string, context: CliContext): Promise<string> {
  const { noFile, exampleFile } = words.workers;
  const stores =
    context.configFile === undefined ? [] : [...(await loadStores(requireStoresFile(context))).keys()];
  const store = findExplicitName(context)?.name ?? (stores.length === 1 ? stores[0] : undefined) ?? 'work';
  const example = exampleFile(JSON.stringify(store), JSON.stringify(context.workingFolder));
  return sanitizeForTerminal(noFile(showPath(path, context), example));
}

function chooseName({ store }: WorkerFile, context: CliContext): string {
  const name = findExplicitName(context)?.name ?? store;
  if (name === undefined) throw new UsageError(words.workers.whichStore);
  return name;
}

interface AgentSettings {
  readonly context: CliContext;
  /** The worker file. */
  readonly path: string;
  readonly logger: Logger;
}

/** Makes what runs a member: with nothing of the database, and without the files that decide what this machine does for others. */
function createAgents({ folder }: WorkerMember, { context, path, logger }: AgentSettings): AgentManager {
  const settings = { environment: context.env, logger, hidesPostgres: true };
  return new AgentManager({
    workingFolder: folder,
    preparation: settings,
    hiddenFiles: [...privateFiles(context), path],
    createAdapter: (agentType) => createAdapter(agentType, settings),
  });
}

/** A line for people: who asked for what, and what came of it; nothing of what was said. */
function describeNews(news: WorkerNews, worker: string): string {
  const { workers } = words;
  const { conversation, turn, member, askedBy } = news.turn;
  const place = `${turn} of ${conversation}`;
  switch (news.kind) {
    case 'asked':
      return workers.asked(news.asker, member, place);
    case 'ended':
      return workers.ended(
        member,
        place,
        workers.outcomes[news.outcome.kind],
        formatSeconds(news.milliseconds),
      );
    case 'withdrawn':
      return workers.withdrawn(member, place);
    case 'refused': {
      const facts = {
        code: 'WORKER_REFUSED',
        reason: 'worker-refused',
        worker,
        member,
        ...news.refusal,
      } as const;
      const { what, hint } = explainFailure(facts);
      return workers.refused(askedBy, member, place, `${what}. ${hint}`);
    }
  }
}

/** Tells how long the store has not answered, once a second at most. */
function watchStore(presence: Presence, tell: (line: string) => void): () => void {
  let told = '';
  return presence.subscribe((news) => {
    const { company } = words;
    const line =
      news.kind === 'silent'
        ? company.silent(formatSeconds(Math.floor(news.milliseconds / 5000) * 5000))
        : news.kind === 'expired'
          ? company.stopped
          : company.back;
    if (line !== told) tell(line);
    told = line;
  });
}

/** The first signal: nothing new is taken. The second: what runs is stopped. */
function watchSignals(running: () => number, context: CliContext) {
  const [finish, stop] = [new AbortController(), new AbortController()];
  const onSignal = (): void => {
    const isFirst = !finish.signal.aborted;
    const count = running();
    finish.abort();
    if (isFirst && count > 0) say(context, words.workers.finishing(count));
    if (isFirst) return;
    if (!stop.signal.aborted) say(context, words.workers.stopping);
    stop.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) context.host.on(signal, onSignal);
  const release = (): void => {
    for (const signal of signals) context.host.off(signal, onSignal);
  };
  return { finish: finish.signal, stop: stop.signal, release };
}

function formatClock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
