import { setImmediate } from 'node:timers/promises';
import { applyFact, type ConversationState, INITIAL_STATE } from '../../../conversation/ConversationState.js';
import { decodeStatus } from '../../../conversation/ConversationStatus.js';
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

/** The state of a conversation after some event. */
interface KnownState {
  readonly seq: number;
  readonly state: ConversationState;
  readonly task: string | null;
}

/** States that took longer to find out than this many events are remembered. */
const WORTH_REMEMBERING = 1000;
const MOST_REMEMBERED = 20;

const UNKNOWN: KnownState = { seq: 0, state: INITIAL_STATE, task: null };

/**
 * Finds out how conversations stand, from the checkpoints of their logs. A log that was imported has none: how it stood is
 * remembered, so that all of it is read once.
 */
export class KnownStates {
  readonly #remembered = new Map<string, KnownState>();

  /** The state of a conversation after the last event of a tail; `since` tells apart two logs of the same id. */
  async read(tail: LogTail, since: number): Promise<KnownState> {
    const key = `${tail.reader.id} ${since}`;
    const known = await this.#findKnown(tail, key);
    let { state, task } = known;
    for await (const events of tail.after(known.seq)) {
      for (const event of events) {
        state = applyFact(state, event);
        if (event.type === 'task-changed') task = event.task;
      }
    }
    const found = { seq: tail.last, state, task };
    if (found.seq - known.seq > WORTH_REMEMBERING) this.#remember(key, found);
    return found;
  }

  /** The latest that is known without reading events. */
  async #findKnown({ reader, last }: LogTail, key: string): Promise<KnownState> {
    const checkpoint = await reader.readCheckpoint();
    const status = checkpoint && decodeStatus(checkpoint.value);
    const saved =
      checkpoint && status ? { seq: checkpoint.seq, state: status.state, task: status.teamTask } : UNKNOWN;
    const remembered = this.#remembered.get(key) ?? UNKNOWN;
    const latest = [saved, remembered].filter(({ seq }) => seq <= last);
    return latest.sort((one, other) => other.seq - one.seq)[0] ?? UNKNOWN;
  }

  #remember(key: string, found: KnownState): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, found);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
