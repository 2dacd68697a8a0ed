import { realpathSync } from 'node:fs';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import { nameQueue } from '../store/postgres/jobs.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { StoreOutOfReachError } from '../store/postgres/sharedErrors.js';
import type { Logger } from '../utils/logger.js';
import type { Dispatch, Job } from './dispatch.js';
import { PutBackPace } from './PutBackPace.js';
import { channelOfWorkers, TurnTable } from './TurnTable.js';
import { type TakingParts, takeTurn } from './takeTurn.js';
import { Wake } from './Wake.js';
import type { WorkerMemory } from './WorkerMemory.js';

const TOUCH_MILLISECONDS = 3000;
const LOOK_MILLISECONDS = 1000;
const FORGET_MILLISECONDS = 60 * 60_000;

export interface WorkerParts extends Pick<TakingParts, 'createAgents' | 'tell'> {
  readonly store: SharedStore;
  readonly dispatch: Dispatch;
  readonly file: WorkerFile;
  readonly memory: WorkerMemory;
  readonly logger?: Logger;
  /** Epoch milliseconds, of this machine. */
  readonly clock?: () => number;
}

/** A job in hand, and what stops it. */
interface TakenJob {
  readonly job: Job;
  readonly stop: AbortController;
  readonly isOver: Promise<void>;
}

/** Runs turns of the members of this machine for whoever its file lets ask. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #table: TurnTable;
  readonly #taken = new Set<TakenJob>();
  /** Folders in which a turn runs that may change files. */
  readonly #busyFolders = new Set<string>();
  readonly #wake = new Wake();
  readonly #pace = new PutBackPace();
  readonly #queue: string;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#table = new TurnTable(parts.store);
    this.#queue = nameQueue('turns', parts.store.database.role);
  }

  /** Number of turns that run now. */
  get running(): number {
    return this.#taken.size;
  }

  /**
   * Takes turns until the first signal, then finishes those that run. Resolves when none is left.
   *
   * @param stop Stops those that run as well: they are interrupted.
   */
  async run(finish: AbortSignal, stop: AbortSignal = new AbortController().signal): Promise<void> {
    const { store, file } = this.#parts;
    const { database, listener, presence } = store;
    const call = (): void => this.#wake.call();
    const stopAll = (): void => {
      for (const taken of this.#taken) taken.stop.abort();
    };
    await presence.offer(this.#offers(file));
    const ends = [
      listener.listen(channelOfWorkers(database.storeId, database.role), call),
      presence.watch(({ kind }) => {
        if (kind === 'expired') stopAll();
      }),
      every(TOUCH_MILLISECONDS, () => this.#touch()),
      every(LOOK_MILLISECONDS, () => this.#look()),
      every(FORGET_MILLISECONDS, async () => this.#parts.memory.forgetOld(this.#now())),
    ];
    finish.addEventListener('abort', call);
    stop.addEventListener('abort', stopAll);
    try {
      while (!finish.aborted) {
        const isFilled = await this.#orLater(() => this.#fetch());
        if (!finish.aborted && !isFilled) await this.#wake.next();
      }
      await this.#orLater(() => presence.offer(null));
      if (stop.aborted) stopAll();
      while (this.#taken.size > 0) await Promise.race([...this.#taken].map(({ isOver }) => isOver));
    } finally {
      for (const end of ends) end();
      finish.removeEventListener('abort', call);
      stop.removeEventListener('abort', stopAll);
    }
  }

  #offers({ members, teams }: WorkerFile) {
    return { members: members.map(({ member }) => member.id), teams: [...teams.keys()] };
  }

  /** Takes as many jobs as there are places. True: there may be more of them. */
  async #fetch(): Promise<boolean> {
    const { dispatch, file } = this.#parts;
    const places = file.atOnce - this.#taken.size;
    if (places <= 0) return false;
    const jobs = await dispatch.fetch(this.#queue, places);
    // A job that comes again while its turn still runs here is about nothing new.
    const inHand = new Set([...this.#taken].map(({ job }) => job.id));
    for (const job of jobs) if (!inHand.has(job.id)) this.#take(job);
    return jobs.length === places;
  }

  #take(job: Job): void {
    const stop = new AbortController();
    const taken: TakenJob = {
      job,
      stop,
      isOver: this.#run(job, stop).finally(() => {
        this.#taken.delete(taken);
        this.#wake.call();
      }),
    };
    this.#taken.add(taken);
  }

  /** Never rejects: a job that could not be ended is delivered again, and its turn is claimed once. */
  async #run(job: Job, stop: AbortController): Promise<void> {
    const { dispatch, logger } = this.#parts;
    try {
      const number = Number(job.id);
      // Anyone may put a job into the queue that is about nothing.
      const result = Number.isSafeInteger(number) ? await takeTurn(number, this.#takingParts, stop) : 'done';
      if (result === 'done') await dispatch.complete(job);
      else await dispatch.putBack(job, this.#pace.next());
    } catch (error) {
      logger?.warn?.(`A turn could not be taken: ${String(error)}`);
    }
  }

  get #takingParts(): TakingParts {
    return {
      ...this.#parts,
      table: this.#table,
      clock: () => this.#now(),
      enterFolder: (entry) => this.#enterFolder(entry),
    };
  }

  /** Takes the folder of a member that may change files: two at a time would overwrite each other. */
  #enterFolder({ member, folder }: WorkerMember): (() => void) | undefined {
    if (member.permission === 'read') return () => undefined;
    const real = realFolder(folder);
    if (this.#busyFolders.has(real)) return undefined;
    this.#busyFolders.add(real);
    return () => this.#busyFolders.delete(real);
  }

  async #touch(): Promise<void> {
    const jobs = [...this.#taken].map(({ job }) => job);
    if (jobs.length > 0) await this.#parts.dispatch.touch(jobs);
  }

  /** Stops what nobody wants any more, also when its agent has nothing to report. */
  async #look(): Promise<void> {
    const taken = [...this.#taken];
    if (taken.length === 0) return;
    const numbers = taken.map(({ job }) => Number(job.id)).filter((number) => Number.isSafeInteger(number));
    const stopped = await this.#table.findStopped(numbers);
    for (const { job, stop } of taken) if (stopped.has(Number(job.id))) stop.abort();
  }

  /** A store that is out of reach is asked again later; `Presence` says how long that may last. */
  async #orLater<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreOutOfReachError)) throw error;
      this.#parts.logger?.debug?.(error.message);
      return undefined;
    }
  }

  #now(): number {
    return (this.#parts.clock ?? Date.now)();
  }
}

/** The folder behind links; one that is not there is itself, and its turn says so. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Does something now and then, never twice at the same time. What fails is done again later. */
function every(milliseconds: number, work: () => Promise<void>): () => void {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    work()
      .catch(() => undefined)
      .finally(() => {
        isWorking = false;
      });
  }, milliseconds);
  return () => clearInterval(timer);
}
