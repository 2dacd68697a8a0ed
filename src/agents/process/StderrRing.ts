import type { Readable } from 'node:stream';

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
