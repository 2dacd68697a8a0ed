import { setImmediate } from 'node:timers/promises';
import type { ConversationFact, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { numberFacts, requireNext } from '../../src/store/numberFacts.js';
import type {
  Checkpoint,
  ConversationContents,
  ConversationLog,
  ConversationQuery,
  ConversationReader,
  CreateOptions,
  LeaseHolder,
  OpenOptions,
  Store,
} from '../../src/store/Store.js';

/** Lets happen what nothing stands in the way of; a loop that pauses now and then needs several rounds. */
export async function whatFollows(): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds++) await setImmediate();
}

/** Facts on their way, and what is told when they have arrived. */
interface Batch {
  readonly at: number;
  readonly facts: readonly ConversationFact[];
  readonly log: ConversationLog;
  readonly kept: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps conversations at the far end of a promise: facts become durable a moment after they were appended, or on command. */
export class LateStore implements Store {
  readonly #clock: () => number;
  #farTime = 0;
  readonly #far = new MemoryStore(() => this.#farTime);
  readonly #batches: Batch[] = [];
  #isHolding = false;
  #loss: { readonly error: unknown } | null = null;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  async create(id: ConversationId, options?: CreateOptions): Promise<ConversationLog> {
    await this.#arrive();
    return new LateLog(await this.#far.create(id, options), this);
  }

  async createWhole(
    id: ConversationId,
    contents: ConversationContents,
    options?: CreateOptions,
  ): Promise<void> {
    await this.#arrive();
    await this.#far.createWhole(id, contents, options);
  }

  async open(id: ConversationId, options?: OpenOptions): Promise<ConversationLog> {
    await this.#arrive();
    return new LateLog(await this.#far.open(id, options), this);
  }

  async read(id: ConversationId): Promise<ConversationReader> {
    await setImmediate();
    return this.#far.read(id);
  }

  list(query: ConversationQuery) {
    return this.#far.list(query);
  }

  find(word: string) {
    return this.#far.find(word);
  }

  async delete(id: ConversationId): Promise<void> {
    await setImmediate();
    await this.#far.delete(id);
  }

  async close(): Promise<void> {}

  /** From now on nothing becomes durable by itself. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Makes the oldest batches durable, or all of them, and lets happen what follows from that. */
  async deliver(batches = Number.POSITIVE_INFINITY): Promise<void> {
    for (let count = 0; count < batches && this.#batches.length > 0; count++) this.#deliverNext();
    await whatFollows();
  }

  /** Nothing that is on its way will ever be durable, and nothing that comes after it. */
  async lose(error: unknown): Promise<void> {
    this.#loss = { error };
    for (const batch of this.#batches.splice(0)) batch.reject(error);
    await whatFollows();
  }

  get waiting(): number {
    return this.#batches.length;
  }

  send(log: ConversationLog, facts: readonly ConversationFact[], from: number): [RecordedEvent[], Batch] {
    const at = this.#clock();
    const events = [...requireNext(numberFacts(facts, from, at), from)];
    let settle!: Pick<Batch, 'resolve' | 'reject'>;
    const kept = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // A writer that does not ask is not told.
    kept.catch(() => undefined);
    const batch: Batch = { at, facts, log, kept, ...settle };
    this.#batches.push(batch);
    if (this.#loss !== null) void this.lose(this.#loss.error);
    else if (!this.#isHolding) void setImmediate().then(() => this.#isHolding || this.#deliverNext());
    return [events, batch];
  }

  #deliverNext(): void {
    const batch = this.#batches.shift();
    if (batch === undefined) return;
    this.#farTime = batch.at;
    try {
      batch.log.append(batch.facts);
      batch.resolve();
    } catch (error) {
      batch.reject(error);
    }
  }

  async #arrive(): Promise<void> {
    this.#farTime = this.#clock();
    await setImmediate();
  }
}

class LateLog implements ConversationLog {
  readonly id: ConversationId;
  readonly takenOverFrom?: LeaseHolder;
  readonly #far: ConversationLog;
  readonly #store: LateStore;
  #lastSeq: number;
  #unkept: Batch | null = null;

  constructor(far: ConversationLog, store: LateStore) {
    this.id = far.id;
    this.#far = far;
    this.#store = store;
    this.#lastSeq = far.lastSeq;
    if (far.takenOverFrom !== undefined) this.takenOverFrom = far.takenOverFrom;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get restoredSeq(): number | undefined {
    return this.#far.restoredSeq;
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const [events, batch] = this.#store.send(this.#far, facts, this.#lastSeq);
    this.#lastSeq += events.length;
    this.#unkept = batch;
    batch.kept.then(
      () => {
        if (this.#unkept === batch) this.#unkept = null;
      },
      () => undefined,
    );
    return events;
  }

  kept(): Promise<void> | undefined {
    return this.#unkept?.kept;
  }

  async *read(from?: number, to = this.#lastSeq): AsyncGenerator<RecordedEvent> {
    await this.kept();
    yield* this.#far.read(from, to);
  }

  async restore(events: Iterable<RecordedEvent>): Promise<void> {
    await this.kept();
    await this.#far.restore(events);
    this.#lastSeq = this.#far.lastSeq;
  }

  async readCheckpoint(): Promise<Checkpoint | null> {
    return this.#far.readCheckpoint();
  }

  async saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    await this.kept();
    await this.#far.saveCheckpoint(checkpoint);
  }

  async close(): Promise<void> {
    await this.kept()?.catch(() => undefined);
    await this.#far.close();
  }
}
