/** Lets a fixed number of holders in at a time; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** The function that gives the place back, or `undefined` when the signal came first. */
  async acquire(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(signal))) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** A place goes straight to the first in line, so no other can slip in between. */
  #release(): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free += 1;
    else enter();
  }
}
