import type { SharedStore } from '../store/postgres/SharedStore.js';
import { StoreOutOfReachError } from '../store/storeErrors.js';
import type { Logger } from '../utils/logger.js';
import { channelOfWorkers } from './TurnTable.js';
import { Wake } from './Wake.js';

export interface ClaimLoopParts<Work> {
  readonly store: Pick<SharedStore, 'database' | 'listener' | 'presence'>;
  /** Number of them that run at the same time. */
  readonly atOnce: number;
  /** The next that can run here now, given what does; null: there is none. */
  readonly claim: (inHand: readonly Work[]) => Promise<Work | null>;
  /** Does it to its end, or until it is stopped. What it throws is only noted: it is lost with this process, or left to the next. */
  readonly run: (work: Work, stop: AbortController) => Promise<void>;
  readonly logger?: Logger | undefined;
}

/** Takes what the workers of a role are asked for, one thing after the other, and runs some of it at the same time. */
export class ClaimLoop<Work> {
  readonly #parts: ClaimLoopParts<Work>;
  readonly #running = new Map<Work, { readonly stop: AbortController; readonly isOver: Promise<void> }>();
  readonly #wake = new Wake();

  constructor(parts: ClaimLoopParts<Work>) {
    this.#parts = parts;
  }

  /** Everything that runs now. */
  get running(): readonly Work[] {
    return [...this.#running.keys()];
  }

  /** Stops some of it. */
  stop(isMeant: (work: Work) => boolean): void {
    for (const [work, { stop }] of this.#running) if (isMeant(work)) stop.abort();
  }

  /**
   * Takes until the first signal, then finishes what runs. Resolves when nothing is left.
   *
   * @param stop Stops what runs as well.
   * @param onFinish Done once nothing new is taken.
   */
  async run(finish: AbortSignal, stop: AbortSignal, onFinish?: () => Promise<void>): Promise<void> {
    const { database, listener, presence } = this.#parts.store;
    const call = (): void => this.#wake.call();
    const stopAll = (): void => this.stop(() => true);
    const ends = [
      listener.listen(channelOfWorkers(database.storeId, database.role), call),
      // Others may take it over from now on.
      presence.subscribe(({ kind }) => {
        if (kind === 'expired') stopAll();
      }),
    ];
    finish.addEventListener('abort', call);
    stop.addEventListener('abort', stopAll);
    try {
      while (!finish.aborted) {
        await this.#orLater(() => this.#claimWhatFits(finish));
        if (!finish.aborted) await this.#wake.next();
      }
      await this.#orLater(async () => onFinish?.());
      if (stop.aborted) stopAll();
      while (this.#running.size > 0)
        await Promise.race([...this.#running.values()].map(({ isOver }) => isOver));
    } finally {
      for (const end of ends) end();
      finish.removeEventListener('abort', call);
      stop.removeEventListener('abort', stopAll);
    }
  }

  async #claimWhatFits(finish: AbortSignal): Promise<void> {
    while (!finish.aborted && this.#running.size < this.#parts.atOnce) {
      const work = await this.#parts.claim(this.running);
      if (work === null) return;
      const stop = new AbortController();
      const isOver = this.#run(work, stop).finally(() => {
        this.#running.delete(work);
        this.#wake.call();
      });
      this.#running.set(work, { stop, isOver });
    }
  }

  async #run(work: Work, stop: AbortController): Promise<void> {
    try {
      await this.#parts.run(work, stop);
    } catch (error) {
      this.#parts.logger?.warn?.(`Work that was claimed was not done: ${String(error)}`);
    }
  }

  /** A store that is out of reach is asked again later; `Presence` says how long that may last. */
  async #orLater(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreOutOfReachError)) throw error;
      this.#parts.logger?.debug?.(error.message);
    }
  }
}
