import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** More than it takes to read all that a pipe can hold; a writer that fills it again and again is not waited for. */
const LAST_LOOKS = 8;
/** So long is read on at most, whatever still writes; but never less than a process can have left behind in its pipe. */
const LONGEST_READING = 1000;
const LAST_BYTES = 320 * 1024;

/**
 * The output of a process as chunks, read only as fast as it is asked for. Ends at the end of the stream, or after
 * `endWhenQuiet`: descendants of the process may hold the pipe open for ever.
 */
export class OutputChunks implements AsyncIterable<Buffer> {
  readonly #stream: Readable;
  #ended = false;
  /** The time we are still willing to wait for data, in total, in milliseconds. */
  #patience = Number.POSITIVE_INFINITY;
  /** The number of looks we still take when that time is over. */
  #lastLooks = LAST_LOOKS;
  /** The time at which we stop reading, and the bytes we still read even then. */
  #deadline = Number.POSITIVE_INFINITY;
  #lastBytes = LAST_BYTES;
  #wake: (() => void) | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    const end = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    stream.on('readable', () => this.#wake?.());
    stream.on('end', end).on('close', end).on('error', end);
  }

  /** Data has arrived that was not asked for yet: the reader is slow, not the process. */
  get hasUnread(): boolean {
    return this.#stream.readableLength > 0;
  }

  /**
   * From now on, waiting may take this long altogether, and reading what others still write a second. What the process
   * itself can have left in the pipe is read, however long that takes.
   */
  endWhenQuiet(milliseconds: number): void {
    this.#deadline = Math.min(this.#deadline, performance.now() + LONGEST_READING);
    this.#patience = Math.min(this.#patience, milliseconds);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const chunk: Buffer | null = this.#stream.read();
      if (chunk !== null) {
        if (!this.#isWanted(chunk)) return;
        yield chunk;
      } else if (this.#ended || !(await this.#waitForData())) return;
    }
  }

  #isWanted({ length }: Buffer): boolean {
    if (this.#deadline === Number.POSITIVE_INFINITY) return true;
    const isWanted = this.#lastBytes > 0 || performance.now() < this.#deadline;
    this.#lastBytes -= length;
    return isWanted;
  }

  /** Reads on without keeping anything, so that the writer never blocks. */
  async discard(): Promise<void> {
    for await (const _chunk of this);
  }

  /** Whether there is more. On a machine with too much to do, what came in time is seen only when time is over. */
  async #waitForData(): Promise<boolean> {
    if (this.#patience > 0) await this.#waitInTime();
    if (this.#patience > 0) return true;
    if (this.#lastLooks === 0) return false;
    this.#lastLooks -= 1;
    await setImmediate();
    return this.hasUnread;
  }

  async #waitInTime(): Promise<void> {
    const began = performance.now();
    const patience = this.#patience;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (Number.isFinite(patience)) timer = setTimeout(resolve, patience);
    });
    this.#wake = undefined;
    clearTimeout(timer);
    if (Number.isFinite(patience)) this.#patience = patience - (performance.now() - began);
  }
}

const RING_BYTES = 64 * 1024;

/** Reads a stream to its end, so that its writer never blocks, and keeps only the last part of it. */
export class StderrRing {
  /** Settles when everything has been read. */
  readonly ended: Promise<void>;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => this.#add(chunk));
    this.ended = new Promise((resolve) => {
      stream.on('close', () => resolve()).on('error', () => resolve());
    });
  }

  get text(): string {
    return Buffer.concat(this.#chunks, this.#bytes).subarray(-RING_BYTES).toString('utf8');
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= RING_BYTES)
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
  }
}
