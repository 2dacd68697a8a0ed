/** Looks are never further apart: what wakes may get lost. */
const LOOK_MILLISECONDS = 1000;

/** Waits for news, for a second at most. A call while no one waits is kept for the next who does. */
export class Wake {
  readonly #signal: AbortSignal | undefined;
  #isCalled = false;
  #resolve: (() => void) | null = null;

  /** The signal is news as well, once. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort);
  }

  call(): void {
    this.#isCalled = true;
    this.#resolve?.();
  }

  async next(milliseconds = LOOK_MILLISECONDS): Promise<void> {
    if (!this.#isCalled) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
      clearTimeout(timer);
      this.#resolve = null;
    }
    this.#isCalled = false;
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.call();
}
