import { words } from '../../../catalogue/words.js';
import { HuddleError } from '../../../models/errors.js';
import type { Frames } from '../wire.js';
import type { EventStream } from './EventStream.js';

const MOST_STREAMS = 64;
/** A browser has six connections to a server; requests need some of them. */
const MOST_OF_A_BROWSER = 4;

/** The streams that are open. */
export class Streams {
  readonly #streams = new Set<EventStream>();
  readonly #alive: NodeJS.Timeout;

  constructor(aliveMilliseconds: number) {
    this.#alive = setInterval(() => {
      for (const stream of this.#streams) stream.tellAlive();
    }, aliveMilliseconds);
    this.#alive.unref();
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Makes room for one more of a browser: its oldest goes. Throws if there are too many of all. */
  makeRoom(browserId: string): void {
    const own = [...this.#streams].filter((stream) => stream.browserId === browserId);
    const gone = own.slice(0, Math.max(0, own.length - MOST_OF_A_BROWSER + 1));
    if (this.#streams.size - gone.length >= MOST_STREAMS)
      throw new HuddleError('TOO_MANY_STREAMS', () => words.webLive.tooManyStreams(MOST_STREAMS));
    for (const stream of gone) this.#end(stream, 'superseded');
  }

  add(stream: EventStream): void {
    this.#streams.add(stream);
    void stream.over.then(() => this.#streams.delete(stream));
  }

  tellSessions(changes: Frames['sessions']): void {
    for (const stream of this.#streams) stream.tellSessions(changes);
  }

  close(): void {
    clearInterval(this.#alive);
    for (const stream of this.#streams) this.#end(stream, 'closing');
  }

  #end(stream: EventStream, why: Frames['ended']['why']): void {
    this.#streams.delete(stream);
    stream.end(why);
  }
}
