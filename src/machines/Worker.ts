import { realpathSync } from 'node:fs';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { StoreOutOfReachError } from '../store/storeErrors.js';
import type { Logger } from '../utils/logger.js';
import { type ClaimedTurn, channelOfWorkers, type OfferedMember, TurnTable } from './TurnTable.js';
import { type TakingParts, takeTurn } from './takeTurn.js';
import { Wake } from './Wake.js';
import type { WorkerMemory } from './WorkerMemory.js';

const LOOK_MILLISECONDS = 1000;
const FORGET_MILLISECONDS = 60 * 60_000;

export interface WorkerParts extends Pick<TakingParts, 'createAgents' | 'tell'> {
  readonly store: SharedStore;
  readonly file: WorkerFile;
  readonly memory: WorkerMemory;
  readonly logger?: Logger;
  /** Epoch milliseconds, of this machine. */
  readonly clock?: () => number;
}

/** A turn in hand, and what stops it. */
interface TakenTurn {
  readonly number: number;
  readonly stop: AbortController;
  readonly isOver: Promise<void>;
}

/** Runs turns of the members of this machine for whoever its file lets ask. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #table: TurnTable;
  readonly #taken = new Set<TakenTurn>();
  /** Folders in which a turn runs that may change files. */
  readonly #busyFolders = new Set<string>();
  readonly #wake = new Wake();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#table = new TurnTable(parts.store);
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
      every(LOOK_MILLISECONDS, () => this.#look()),
      every(FORGET_MILLISECONDS, async () => this.#parts.memory.forgetOld(this.#now())),
    ];
    finish.addEventListener('abort', call);
    stop.addEventListener('abort', stopAll);
    try {
      while (!finish.aborted) {
        await this.#orLater(() => this.#takeWhatFits(finish));
        if (!finish.aborted) await this.#wake.next();
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

  async #takeWhatFits(finish: AbortSignal): Promise<void> {
    while (!finish.aborted && this.#taken.size < this.#parts.file.atOnce) {
      const inHand = [...this.#taken].map(({ number }) => number);
      const turn = await this.#table.claim(inHand, this.#offered());
      if (turn === null) return;
      this.#take(turn);
    }
  }

  #offered(): OfferedMember[] {
    const { members, accounts } = this.#parts.file;
    return members.map((entry) => ({
      member: entry.member.id,
      account: entry.account,
      at_once: entry.account === undefined ? undefined : (accounts.get(entry.account) ?? 1),
      is_busy: this.#busyFolders.has(editedFolder(entry) ?? ''),
    }));
  }

  #take(turn: ClaimedTurn): void {
    const { members } = this.#parts.file;
    const entry = members.find(({ member }) => member.id === turn.member);
    const folder = entry && editedFolder(entry);
    if (folder !== undefined) this.#busyFolders.add(folder);
    const stop = new AbortController();
    const taken: TakenTurn = {
      number: turn.number,
      stop,
      isOver: this.#run(turn, stop).finally(() => {
        this.#taken.delete(taken);
        if (folder !== undefined) this.#busyFolders.delete(folder);
        this.#wake.call();
      }),
    };
    this.#taken.add(taken);
  }

  /** Never rejects: a turn that cannot be reported is lost with this process. */
  async #run(turn: ClaimedTurn, stop: AbortController): Promise<void> {
    try {
      const clock = (): number => this.#now();
      await takeTurn(turn, { ...this.#parts, table: this.#table, clock }, stop);
    } catch (error) {
      this.#parts.logger?.warn?.(`A turn could not be taken: ${String(error)}`);
    }
  }

  /** Stops what nobody wants any more, also when its agent has nothing to report. */
  async #look(): Promise<void> {
    const taken = [...this.#taken];
    if (taken.length === 0) return;
    const stopped = await this.#table.findStopped(taken.map(({ number }) => number));
    for (const { number, stop } of taken) if (stopped.has(number)) stop.abort();
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

/**
 * The folder of a member that may change files, in which only one turn runs: two would overwrite each other. The one behind links;
 * one that is not there is itself, and its turn says so.
 */
function editedFolder({ member, folder }: WorkerMember): string | undefined {
  if (member.permission === 'read') return undefined;
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
