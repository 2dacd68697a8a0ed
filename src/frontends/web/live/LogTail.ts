import { setImmediate } from 'node:timers/promises';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { ConversationReader } from '../../../store/Store.js';
import { toArray } from '../../../utils/AnyIterable.js';

/** Events that are read without a pause: meanwhile no one else is served. */
const MOST_AT_ONCE = 2000;
/** Events read at first on the way back; each further step takes twice as many. */
const FIRST_STEP = 256;

/** The end of a log, read back as far as it is needed, each event once. */
export class LogTail {
  readonly reader: ConversationReader;
  /** The number of the last event. */
  readonly last: number;
  readonly #newestFirst: RecordedEvent[] = [];
  #step = FIRST_STEP;

  constructor(reader: ConversationReader, last = reader.lastSeq) {
    this.reader = reader;
    this.last = Math.min(last, reader.lastSeq);
  }

  /** The events from the last one back. */
  async *backwards(): AsyncGenerator<RecordedEvent> {
    for (let index = 0; index < this.last; index++) {
      if (index === this.#newestFirst.length) await this.#readBack();
      yield this.#newestFirst[index] as RecordedEvent;
    }
  }

  /** The events after a number, in portions after which others had their turn. */
  async *after(seq: number): AsyncGenerator<readonly RecordedEvent[]> {
    const distance = this.last - seq;
    if (distance > MOST_AT_ONCE) return yield* readPortions(this.reader, seq + 1, this.last);
    while (this.#newestFirst.length < distance) await this.#readBack();
    yield this.#newestFirst.slice(0, Math.max(0, distance)).reverse();
  }

  async #readBack(): Promise<void> {
    const end = this.last - this.#newestFirst.length;
    if (end < this.last) await setImmediate();
    const events = await toArray(this.reader.read(end - this.#step + 1, end));
    this.#newestFirst.push(...events.reverse());
    this.#step = Math.min(2 * this.#step, MOST_AT_ONCE);
  }
}

/** The events from one number to another, in portions after which others had their turn. */
export async function* readPortions(
  reader: ConversationReader,
  from: number,
  to = reader.lastSeq,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let first = from; first <= to; first += MOST_AT_ONCE) {
    if (first > from) await setImmediate();
    yield await toArray(reader.read(first, Math.min(to, first + MOST_AT_ONCE - 1)));
  }
}
