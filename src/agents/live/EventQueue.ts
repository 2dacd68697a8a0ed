/** Few enough not to matter, enough to keep both sides busy. */
const ROOM = 256;

/** Async queue with one reader. */
export class EventQueue<Value> implements AsyncIterable<Value> {
  #values: Value[] = [];
  #isClosed = false;
  /** The reader has dealt with everything and waits. */
  #isRead = false;
  /** Wakes all that wait for a change. */
  #waiting: Array<() => void> = [];

  push(value: Value): void {
    if (this.#isClosed) return;
    this.#values.push(value);
    this.#isRead = false;
    this.#wakeAll();
  }

  /** Nothing more comes; what is there is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  get isFull(): boolean {
    return !this.#isClosed && this.#values.length >= ROOM;
  }

  /** Settles when the reader has caught up. */
  async waitForRoom(): Promise<void> {
    while (this.isFull) await this.#nextChange();
  }

  /** Settles when the reader has dealt with everything that was there. */
  async waitUntilRead(): Promise<void> {
    while (!this.#isClosed && !this.#isRead) await this.#nextChange();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (;;) {
      const values = this.#values;
      this.#values = [];
      this.#wakeAll();
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#isClosed) return;
      this.#isRead = true;
      this.#wakeAll();
      await this.#nextChange();
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
