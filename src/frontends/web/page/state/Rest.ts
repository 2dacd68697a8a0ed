/** Time for which something has to be on the screen, in its place, before an answer about it counts. */
export const MOMENT_MILLISECONDS = 1000;

/** Knows since when a part of the page is in its place. */
export class Rest {
  #place: string | undefined;
  #since = 0;
  #seen = Number.NEGATIVE_INFINITY;

  /** Takes a look at a time in milliseconds; returns whether the part has been where it is for a moment. It has no place while it cannot be seen. */
  look(place: string | undefined, now: number): boolean {
    const isWatched = now - this.#seen <= MOMENT_MILLISECONDS;
    if (place === undefined || place !== this.#place || !isWatched) this.#since = now;
    this.#seen = now;
    this.#place = place;
    return now - this.#since >= MOMENT_MILLISECONDS;
  }
}
