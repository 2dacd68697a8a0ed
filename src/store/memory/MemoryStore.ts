import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import type { ConversationLog, Store } from '../Store.js';

/** Keeps conversations as long as the process lives. */
export class MemoryStore implements Store {
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  create(_id: ConversationId): ConversationLog {
    return new MemoryLog(this.#clock);
  }
}

class MemoryLog implements ConversationLog {
  readonly #events: RecordedEvent[] = [];
  readonly #clock: () => number;
  #isClosed = false;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    if (this.#isClosed) throw new TypeError('A closed log cannot be written');
    const at = this.#clock();
    const first = this.#events.length + 1;
    const recorded = facts.map(
      (fact, index) => ({ ...fact, v: EVENT_VERSION, seq: first + index, at }) as RecordedEvent,
    );
    for (const event of recorded) this.#events.push(event);
    return recorded;
  }

  read(): Iterable<RecordedEvent> {
    return [...this.#events];
  }

  close(): void {
    this.#isClosed = true;
  }
}
