/** Time for which something has to be on the screen, in its place, before an answer about it counts. */
export const MOMENT_MILLISECONDS = 1000;

/** A look at a part of the page: where it is, if it can be seen, and whether a pointer or a key is pressed. */
export interface Look {
  readonly place: string | undefined;
  readonly isPressed: boolean;
  /** Milliseconds of any clock. */
  readonly now: number;
}

/** Knows since when a part of the page is in its place. */
export class Rest {
  #place: string | undefined;
  #since = 0;
  #seen = Number.NEGATIVE_INFINITY;
  #isReady = false;

  /** Takes a look, and returns whether the part has been where it is for a moment. What was pressed before that is to be released first. */
  look({ place, isPressed, now }: Look): boolean {
    const isWatched = now - this.#seen <= MOMENT_MILLISECONDS;
    const isSame = place !== undefined && place === this.#place && isWatched;
    this.#seen = now;
    this.#place = place;
    if (!isSame || (isPressed && !this.#isReady)) this.#since = now;
    this.#isReady = isSame && now - this.#since >= MOMENT_MILLISECONDS;
    return this.#isReady;
  }
}
