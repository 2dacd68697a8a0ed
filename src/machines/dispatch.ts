import { AsyncLocalStorage } from 'node:async_hooks';
import { HuddleError } from '../models/errors.js';
import { PgBoss } from '../store/postgres/bossPackage.js';
import { JOBS_SCHEMA } from '../store/postgres/jobs.js';
import type { Query, SharedDatabase } from '../store/postgres/SharedStore.js';
import type { Logger } from '../utils/logger.js';

/** Something that a worker is asked for: it is delivered at least once, and only ever names what it is about. */
export interface Job {
  readonly queue: string;
  /** Name of the delivery, not of what it is about. */
  readonly key: string;
  /** The turn or the conversation that it is about. */
  readonly id: string;
}

/** People wait for an answer; a fleet waits until there is time for it. */
export const PRIORITIES = { people: 10, fleets: 0 } as const;

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

/** No queue of this role: no worker of it was ever invited. Nothing was asked. */
export class UnknownWorkerError extends HuddleError<'UNKNOWN_WORKER'> {
  constructor(role: string) {
    super('UNKNOWN_WORKER', { role });
  }
}

/** Hands out work between machines. A job that is not touched for 20 seconds is delivered again. */
export interface Dispatch {
  /**
   * Puts work into a queue. Rejects with UnknownWorkerError.
   *
   * @param query That of the transaction in which the work itself is written: both are there, or neither is.
   */
  ask(query: Query, queue: string, id: string, options: { readonly priority: Priority }): Promise<void>;
  /** The next jobs of a queue of this role, the most urgent ones first, at most as many as there are places. */
  fetch(queue: string, places: number): Promise<Job[]>;
  /** Says that this process still works on them; every 3 seconds is enough. */
  touch(jobs: readonly Job[]): Promise<void>;
  complete(job: Job): Promise<void>;
  /** Gives a job back: it is delivered again after a second, or so many, in its old place. */
  putBack(job: Job, seconds?: number): Promise<void>;
  close(): Promise<void>;
}

const TEND_SECONDS = 3;
const PUT_OFF = `
UPDATE ${JOBS_SCHEMA}.job_common SET start_after = pg_catalog.now() + $3 * interval '1 s'
WHERE name = $1 AND id = $2 AND state = 'retry'`;

/** Opens the queues of a shared store, with its connections. */
export async function openDispatch(
  database: SharedDatabase,
  { logger }: { readonly logger?: Logger } = {},
): Promise<Dispatch> {
  // What pg-boss looks up for a job is asked on the connection of the caller as well: transactions that each wait for a
  // second connection wait for each other.
  const asking = new AsyncLocalStorage<Query>();
  const boss = new PgBoss({
    db: { executeSql: (text, values) => execute(database, text, values, asking.getStore()) },
    schema: JOBS_SCHEMA,
    // The schema is the owner's, who alone changes it; a queue is tended by those who fetch from it.
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: TEND_SECONDS,
    maintenanceIntervalSeconds: 60,
  });
  boss.on('error', (error) => logger?.warn?.(error.message));
  await boss.start();
  return new BossDispatch(database, boss, asking);
}

class BossDispatch implements Dispatch {
  readonly #database: SharedDatabase;
  readonly #boss: PgBoss;
  readonly #asking: AsyncLocalStorage<Query>;
  readonly #known = new Set<string>();
  readonly #tended = new Map<string, number>();

  constructor(database: SharedDatabase, boss: PgBoss, asking: AsyncLocalStorage<Query>) {
    this.#database = database;
    this.#boss = boss;
    this.#asking = asking;
  }

  async ask(query: Query, queue: string, id: string, { priority }: { readonly priority: Priority }) {
    await this.#asking.run(query, async () => {
      if (!(await this.#exists(queue))) throw new UnknownWorkerError(queue.slice(queue.indexOf('/') + 1));
      await this.#boss.send(queue, { id }, { priority });
    });
  }

  async fetch(queue: string, places: number): Promise<Job[]> {
    await this.#tend(queue);
    const jobs = await this.#boss.fetch<{ id: string }>(queue, { batchSize: places });
    return jobs.map(({ id: key, data }) => ({ queue, key, id: data.id }));
  }

  async touch(jobs: readonly Job[]): Promise<void> {
    for (const [queue, keys] of groupByQueue(jobs)) await this.#boss.touch(queue, keys);
  }

  async complete({ queue, key }: Job): Promise<void> {
    await this.#boss.complete(queue, key);
  }

  async putBack({ queue, key }: Job, seconds = 1): Promise<void> {
    await this.#boss.fail(queue, key);
    // pg-boss has one delay for a queue, which is a second. Fetched by then, it stays as it is.
    if (seconds > 1) await this.#database.query(PUT_OFF, [queue, key, seconds]);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  async #exists(queue: string): Promise<boolean> {
    if (!this.#known.has(queue) && (await this.#boss.getQueue(queue)) !== null) this.#known.add(queue);
    return this.#known.has(queue);
  }

  /** Finds jobs whose worker is gone, and removes old ones. Whoever fetches has a place for what is found. */
  async #tend(queue: string): Promise<void> {
    const now = performance.now();
    if (now - (this.#tended.get(queue) ?? Number.NEGATIVE_INFINITY) < TEND_SECONDS * 1000) return;
    this.#tended.set(queue, now);
    await this.#boss.supervise(queue);
  }
}

/** Statements that bring a transaction of their own are ended with it when one of them fails. */
async function execute(database: SharedDatabase, text: string, values?: unknown[], asking?: Query) {
  if (asking !== undefined) return { rows: await asking(text, values) };
  const isTransaction = text.trimStart().startsWith('BEGIN;');
  const rows = isTransaction
    ? await database.transaction((query) => query(text))
    : await database.query(text, values);
  return { rows: rows ?? [] };
}

function groupByQueue(jobs: readonly Job[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { queue, key } of jobs) groups.set(queue, [...(groups.get(queue) ?? []), key]);
  return groups;
}
