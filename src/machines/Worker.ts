import { realpathSync } from 'node:fs';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import type { Logger } from '../utils/logger.js';
import { ClaimLoop } from './ClaimLoop.js';
import { type ClaimedTurn, TurnTable } from './TurnTable.js';
import { type TurnParts, takeTurn } from './takeTurn.js';
import type { WorkerMemory } from './WorkerMemory.js';

const LOOK_MILLISECONDS = 1000;
const FORGET_MILLISECONDS = 60 * 60_000;

export interface WorkerParts extends Pick<TurnParts, 'createAgents' | 'tell'> {
  readonly store: SharedStore;
  readonly file: WorkerFile;
  readonly memory: WorkerMemory;
  readonly logger?: Logger;
  /** Epoch milliseconds, of this machine. */
  readonly clock?: () => number;
}

/** Runs turns of the members of this machine for whoever its file lets ask. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #clock: () => number;
  readonly #table: TurnTable;
  readonly #turns: ClaimLoop<ClaimedTurn>;
  /** Folders in which a turn runs that may change files. */
  readonly #busyFolders = new Set<string>();

  constructor(parts: WorkerParts) {
    const { store, file, logger, clock = Date.now } = parts;
    this.#parts = parts;
    this.#clock = clock;
    this.#table = new TurnTable(store);
    this.#turns = new ClaimLoop({
      store,
      logger,
      atOnce: file.atOnce,
      claim: (running) => this.#claim(running),
      run: (turn, stop) => this.#run(turn, stop),
    });
  }

  /** Number of turns that run now. */
  get running(): number {
    return this.#turns.running.length;
  }

  /**
   * Takes turns until the first signal, then finishes those that run. Resolves when none is left.
   *
   * @param stop Stops those that run as well: they are interrupted.
   */
  async run(finish: AbortSignal, stop: AbortSignal = new AbortController().signal): Promise<void> {
    const { store, file, memory } = this.#parts;
    const { presence } = store;
    await presence.offer({
      members: file.members.map(({ member }) => member.id),
      teams: [...file.teams.keys()],
    });
    const ends = [
      every(LOOK_MILLISECONDS, () => this.#stopUnwanted()),
      every(FORGET_MILLISECONDS, async () => memory.forgetOld(this.#clock())),
    ];
    try {
      await this.#turns.run(finish, stop, () => presence.offer(null));
    } finally {
      for (const end of ends) end();
    }
  }

  #claim(running: readonly ClaimedTurn[]): Promise<ClaimedTurn | null> {
    const { members, accounts } = this.#parts.file;
    const offered = members.map((entry) => ({
      member: entry.member.id,
      account: entry.account,
      at_once: entry.account === undefined ? undefined : (accounts.get(entry.account) ?? 1),
      is_busy: this.#busyFolders.has(editedFolder(entry) ?? ''),
    }));
    return this.#table.claim(
      running.map(({ number }) => number),
      offered,
    );
  }

  async #run(turn: ClaimedTurn, stop: AbortController): Promise<void> {
    const entry = this.#parts.file.members.find(({ member }) => member.id === turn.member);
    const folder = entry && editedFolder(entry);
    if (folder !== undefined) this.#busyFolders.add(folder);
    try {
      await takeTurn(turn, { ...this.#parts, table: this.#table, clock: this.#clock }, stop);
    } finally {
      if (folder !== undefined) this.#busyFolders.delete(folder);
    }
  }

  /** Stops what nobody wants any more, also when its agent has nothing to report. */
  async #stopUnwanted(): Promise<void> {
    const { running } = this.#turns;
    if (running.length === 0) return;
    const stopped = await this.#table.findStopped(running.map(({ number }) => number));
    this.#turns.stop(({ number }) => stopped.has(number));
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
  const timer = setInterval(async () => {
    if (isWorking) return;
    isWorking = true;
    await work().catch(() => undefined);
    isWorking = false;
  }, milliseconds);
  return () => clearInterval(timer);
}
