/** Few enough not to matter, enough to keep both sides busy. */
const ROOM = 256;

/** Values on their way from whoever has them to whoever asks for them, one reader, in order. */
export class EventQueue<Value> implements AsyncIterable<Value> {
  #values: Value[] = [];
  #isClosed = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: Array<() => void> = [];
  /** The reader has dealt with everything and waits. */
  #isRead = false;

  push(value: Value): void {
    if (this.#isClosed) return;
    this.#values.push(value);
    this.#isRead = false;
    this.#wakeReader?.();
  }

  /** Nothing more comes; what is there is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wakeReader?.();
    this.#letWritersIn();
  }

  get isFull(): boolean {
    return !this.#isClosed && this.#values.length >= ROOM;
  }

  /** Settles when the reader has caught up. */
  async waitForRoom(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
  }

  /** Settles when the reader has dealt with everything that was there. */
  async waitUntilRead(): Promise<void> {
    while (!this.#isClosed && !this.#isRead)
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (;;) {
      const values = this.#values;
      this.#values = [];
      this.#letWritersIn();
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#isClosed) return;
      this.#isRead = true;
      this.#letWritersIn();
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
      this.#wakeReader = undefined;
    }
  }

  #letWritersIn(): void {
    const writers = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of writers) wake();
  }
}
