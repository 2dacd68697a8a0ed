const SECOND = 1000;
/** So many jobs a second that cannot run now are tried by a worker; more would leave it no time for those that can. */
const TRIED_A_SECOND = 20;
const MOST_SECONDS = 5;

/** Says how long jobs wait that a worker puts back: a second, and longer the more of them there are. */
export class PutBackPace {
  readonly #clock: () => number;
  /** Times of those of the last second, the oldest first. */
  #latest: number[] = [];

  /** @param clock Milliseconds, by a clock that only runs forward. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Seconds for the next one. */
  next(): number {
    const now = this.#clock();
    this.#latest = [...this.#latest.filter((time) => now - time < SECOND), now];
    return Math.min(MOST_SECONDS, Math.ceil(this.#latest.length / TRIED_A_SECOND));
  }
}
