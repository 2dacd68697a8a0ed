/** A conversation that goes by itself to show how one goes, and that ends by itself if no person is there to continue it. */
export class Demonstration {
  #isOver = false;
  #isPersonThere = false;
  #isExitAsked = false;

  noteSign(): void {
    this.#isPersonThere = true;
  }

  /** Whether a person who wants to exit can do so at once. Half a demonstration is for those who ask twice. */
  mayExit(): boolean {
    const isSecond = this.#isExitAsked;
    this.#isExitAsked = true;
    return this.#isOver || isSecond;
  }

  /** Everything was shown; returns whether a person wants to continue. */
  end(): boolean {
    this.#isOver = true;
    return this.#isPersonThere && !this.#isExitAsked;
  }
}
