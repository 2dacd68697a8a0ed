import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import type { Logger } from '../utils/logger.js';

/** Tells events to listeners: each recorded one once and in order, wherever they come from. */
export class OrderedEvents {
  readonly #broadcast: Broadcast<ConversationEvent>;
  #lastSeq = 0;
  /** Events that came while missed ones are read. */
  #held: ConversationEvent[] | null = null;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  constructor(logger: Logger = {}) {
    this.#broadcast = createBroadcast((error) => logger.error?.(`A listener failed: ${String(error)}`));
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Begins after an event: those before are known. */
  beginAfter(seq: number): void {
    this.#lastSeq = seq;
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#broadcast.subscribe(listener);
  }

  take(event: ConversationEvent): void {
    if (this.#held === null) this.#tell(event);
    else this.#held.push(event);
  }

  /** Keeps events back from now on, until those that were missed are told. */
  holdBack(): void {
    this.#held ??= [];
  }

  /** Tells what was missed, then what came meanwhile. */
  async fillIn(missed: AnyIterable<RecordedEvent>): Promise<void> {
    try {
      for await (const event of missed) this.#tell(event);
    } finally {
      const held = this.#held ?? [];
      this.#held = null;
      for (const event of held) this.#tell(event);
    }
  }

  /** Resolves when everything up to an event is told. */
  untilTold(seq: number): Promise<void> {
    if (seq <= this.#lastSeq) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ seq, resolve }));
  }

  #tell(event: ConversationEvent): void {
    const isRecorded = 'seq' in event;
    if (isRecorded && event.seq <= this.#lastSeq) return;
    if (isRecorded) this.#lastSeq = event.seq;
    this.#broadcast.send(event);
    const reached = this.#waiting.filter(({ seq }) => seq <= this.#lastSeq);
    this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#lastSeq);
    for (const { resolve } of reached) resolve();
  }
}
