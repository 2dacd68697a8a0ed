/** Does one piece of work after the other while there is any; whatever may have changed that wakes it. */
export class WorkLoop {
  readonly #hasWork: () => boolean;
  readonly #work: () => Promise<void>;
  readonly #isReady: (() => Promise<void> | undefined) | undefined;
  #run: Promise<void> = Promise.resolve();
  #isRunning = false;
  #failure: { readonly error: unknown } | null = null;

  /** `isReady` is waited for before each piece of work; undefined: now. */
  constructor(hasWork: () => boolean, work: () => Promise<void>, isReady?: () => Promise<void> | undefined) {
    this.#hasWork = hasWork;
    this.#work = work;
    this.#isReady = isReady;
  }

  /** The first thing that a piece of work has thrown; null: none has. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#workAll();
  }

  /**
   * Resolves when nothing is left to do, or a piece of work has failed. Looks again after each wait: the work itself may
   * ask while the loop is only just starting.
   */
  async atRest(): Promise<void> {
    while (this.#isRunning) await this.#run;
  }

  /** Counts as what a piece of work has thrown. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Throws what a piece of work has thrown, if any has. */
  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Never rejects: who cares about a failure asks for it. */
  async #workAll(): Promise<void> {
    try {
      while (this.#hasWork()) {
        const ready = this.#isReady?.();
        if (ready === undefined) await this.#work();
        else if (await ready.then(this.#hasWork)) await this.#work();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#isRunning = false;
    }
  }
}
