/** A conversation that goes by itself to show how one goes, and that ends by itself where nobody is there to talk on. */
export class Demonstration {
  #isOver = false;
  #isSomebodyThere = false;
  #isToBeLeft = false;

  noteSign(): void {
    this.#isSomebodyThere = true;
  }

  /** Somebody wants to leave; whether it can be at once. Half a demonstration is for those who ask twice. */
  mayLeave(): boolean {
    const isSecond = this.#isToBeLeft;
    this.#isToBeLeft = true;
    return this.#isOver || isSecond;
  }

  /** Everything was shown; whether somebody wants to talk on. */
  end(): boolean {
    this.#isOver = true;
    return this.#isSomebodyThere && !this.#isToBeLeft;
  }
}
