import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { describeThisProcess } from '../lease.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type {
  Checkpoint,
  ConversationLog,
  ConversationReader,
  CreateOptions,
  LeaseHolder,
  OpenOptions,
  Store,
} from '../Store.js';
import {
  ConversationExistsError,
  ConversationLockedError,
  LeaseLostError,
  UnknownConversationError,
} from '../storeErrors.js';
import { type ConversationSummary, countEvent, EMPTY_TALLY, summarize } from '../summary.js';

/** What is kept of one conversation. */
interface Kept {
  readonly id: ConversationId;
  readonly events: RecordedEvent[];
  folder: string | undefined;
  checkpoint: Checkpoint | null;
  restoredSeq: number;
  holder: LeaseHolder | null;
  fence: number;
}

/** Keeps conversations as long as the process lives. */
export class MemoryStore implements Store {
  /** The one that was opened last comes last. */
  readonly #conversations = new Map<ConversationId, Kept>();
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  create(id: ConversationId, { folder }: CreateOptions = {}): ConversationLog {
    if (this.#conversations.has(id)) throw new ConversationExistsError(id);
    const kept: Kept = { id, events: [], folder, checkpoint: null, restoredSeq: 0, holder: null, fence: 0 };
    return this.#openForWriting(kept);
  }

  open(id: ConversationId, { takeOver = false, folder }: OpenOptions = {}): ConversationLog {
    const kept = this.#find(id);
    if (kept.holder !== null && !takeOver) throw new ConversationLockedError(id, kept.holder);
    kept.folder = folder ?? kept.folder;
    return this.#openForWriting(kept);
  }

  read(id: ConversationId): ConversationReader {
    return new MemoryReader(this.#find(id));
  }

  list(): ConversationSummary[] {
    return [...this.#conversations.values()]
      .reverse()
      .map(({ id, events, holder, folder }) =>
        summarize(
          { id, folder, tally: events.reduce(countEvent, EMPTY_TALLY) },
          holder === null ? undefined : 'open',
        ),
      );
  }

  delete(id: ConversationId): void {
    const { holder } = this.#find(id);
    if (holder !== null) throw new ConversationLockedError(id, holder);
    this.#conversations.delete(id);
  }

  close(): void {
    // Nothing is held open.
  }

  #find(id: ConversationId): Kept {
    const kept = this.#conversations.get(id);
    if (kept === undefined) throw new UnknownConversationError(id);
    return kept;
  }

  #openForWriting(kept: Kept): ConversationLog {
    const before = kept.holder;
    this.#conversations.delete(kept.id);
    this.#conversations.set(kept.id, kept);
    kept.holder = describeThisProcess(this.#clock());
    kept.fence++;
    return new MemoryLog(kept, this.#clock, before);
  }
}

class MemoryReader implements ConversationReader {
  protected readonly kept: Kept;
  readonly #lastSeq: number;

  constructor(kept: Kept) {
    this.kept = kept;
    this.#lastSeq = kept.events.length;
  }

  get id(): ConversationId {
    return this.kept.id;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  read(from = 1, to = this.lastSeq): Iterable<RecordedEvent> {
    return this.kept.events.slice(Math.max(0, from - 1), Math.min(to, this.lastSeq));
  }

  readCheckpoint(): Checkpoint | null {
    return this.kept.checkpoint;
  }

  close(): void {
    // Nothing is held open.
  }
}

class MemoryLog extends MemoryReader implements ConversationLog {
  readonly takenOverFrom?: LeaseHolder;
  readonly #clock: () => number;
  readonly #fence: number;

  constructor(kept: Kept, clock: () => number, before: LeaseHolder | null) {
    super(kept);
    this.#clock = clock;
    this.#fence = kept.fence;
    if (before !== null) this.takenOverFrom = before;
  }

  override get lastSeq(): number {
    return this.kept.events.length;
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const events = numberFacts(facts, this.lastSeq, this.#clock());
    this.#add(events);
    return events;
  }

  restore(events: Iterable<RecordedEvent>): void {
    this.#add(events);
    this.kept.restoredSeq = this.lastSeq;
  }

  get restoredSeq(): number {
    return this.kept.restoredSeq;
  }

  #add(events: Iterable<RecordedEvent>): void {
    this.#requireLease();
    const added = [...requireNext(events, this.lastSeq)];
    for (const event of added) this.kept.events.push(event);
  }

  saveCheckpoint(checkpoint: Checkpoint): void {
    this.#requireLease();
    this.kept.checkpoint = structuredClone(checkpoint);
  }

  override close(): void {
    if (this.#fence === this.kept.fence) this.kept.holder = null;
  }

  #requireLease(): void {
    if (this.#fence !== this.kept.fence || this.kept.holder === null) throw new LeaseLostError(this.id);
  }
}
