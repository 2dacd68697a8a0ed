import type { ServerResponse } from 'node:http';

/** Beyond so much that was not read, only what cannot be left out is written. */
const MOST_BUFFERED = 1024 ** 2;

/** An answer that is written as long as someone reads it. */
export class Outlet {
  readonly #outgoing: ServerResponse;
  readonly #deafMilliseconds: number;
  #watch: NodeJS.Timeout | undefined;

  /** @param deafMilliseconds One who reads nothing for so long is gone. */
  constructor(outgoing: ServerResponse, deafMilliseconds: number) {
    this.#outgoing = outgoing;
    this.#deafMilliseconds = deafMilliseconds;
    outgoing.once('close', () => clearTimeout(this.#watch));
  }

  get isOver(): boolean {
    const { destroyed, writableEnded } = this.#outgoing;
    return destroyed || writableEnded;
  }

  /** Whether the reader has to read before more should be written. */
  get isBlocked(): boolean {
    return !this.isOver && this.#outgoing.writableNeedDrain;
  }

  /** Whether so much waits to be read that what can be left out should be. */
  get isFull(): boolean {
    return this.#outgoing.writableLength > MOST_BUFFERED;
  }

  write(text: string): void {
    if (this.isOver) return;
    if (!this.#outgoing.write(text)) this.#expectReading();
  }

  /** Resolves when there is room again, or no one is left to read. */
  async roomToWrite(): Promise<void> {
    const outgoing = this.#outgoing;
    if (!this.isBlocked) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        outgoing.off('drain', done);
        outgoing.off('close', done);
        resolve();
      };
      outgoing.on('drain', done);
      outgoing.on('close', done);
    });
  }

  /** Ends the answer with a last text, which one who does not read never gets. */
  end(text: string): void {
    if (this.isOver) return;
    this.#outgoing.end(text);
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#outgoing.destroy(), this.#deafMilliseconds);
    this.#watch.unref();
  }

  /** Ends an answer of which nothing is read any more. */
  #expectReading(): void {
    if (this.#watch !== undefined) return;
    const { socket } = this.#outgoing;
    const read = () => (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0);
    const before = read();
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      if (!this.isBlocked) return;
      if (read() > before) this.#expectReading();
      else this.#outgoing.destroy();
    }, this.#deafMilliseconds);
    this.#watch.unref();
  }
}
