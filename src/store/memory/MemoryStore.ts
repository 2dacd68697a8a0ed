import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { toAsync } from '../../utils/AnyIterable.js';
import { describeThisProcess } from '../../utils/processIdentity.js';
import { findMeant, type ListedEntry, takePage } from '../listConversations.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type {
  Checkpoint,
  ConversationContents,
  ConversationLog,
  ConversationPage,
  ConversationQuery,
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

/** A conversation in memory. */
interface Kept {
  readonly id: ConversationId;
  readonly events: RecordedEvent[];
  /** Counts up with every opening of any conversation. */
  opened: number;
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
  #openings = 0;
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  async create(id: ConversationId, { folder }: CreateOptions = {}): Promise<ConversationLog> {
    if (this.#conversations.has(id)) throw new ConversationExistsError(id);
    const empty = { events: [], checkpoint: null, restoredSeq: 0, holder: null, fence: 0, opened: 0 };
    const kept: Kept = { id, folder, ...empty };
    this.#putFirst(kept);
    return this.#openForWriting(kept);
  }

  async createWhole(
    id: ConversationId,
    { restored = [], added = [], checkpoint }: ConversationContents,
    { folder }: CreateOptions = {},
  ): Promise<void> {
    const before = this.#conversations.get(id);
    if (before !== undefined && (before.events.length > 0 || before.holder !== null))
      throw new ConversationExistsError(id);
    const past = [...requireNext(restored, 0)];
    const facts = [...requireNext(numberFacts(added, past.length, this.#clock()), past.length)];
    this.#putFirst({
      ...{ id, folder, events: [...past, ...facts], restoredSeq: past.length },
      ...{ checkpoint: structuredClone(checkpoint?.() ?? null), holder: null, fence: 0, opened: 0 },
    });
  }

  async open(
    id: ConversationId,
    { takeOver = false, inPlace = false, folder }: OpenOptions = {},
  ): Promise<ConversationLog> {
    const kept = this.#find(id);
    if (kept.holder !== null && !takeOver) throw new ConversationLockedError(id, kept.holder);
    kept.folder = folder ?? kept.folder;
    if (!inPlace) this.#putFirst(kept);
    return this.#openForWriting(kept);
  }

  async read(id: ConversationId): Promise<ConversationReader> {
    return new MemoryReader(this.#find(id));
  }

  async list(query: ConversationQuery): Promise<ConversationPage> {
    return takePage(this.#listed(query.from), query);
  }

  async find(word: string): Promise<readonly ConversationSummary[]> {
    return findMeant(this.#listed(), word);
  }

  *#listed(before = Number.POSITIVE_INFINITY): Generator<ListedEntry> {
    for (const { id, events, opened, holder, folder } of [...this.#conversations.values()].reverse()) {
      if (opened >= before) continue;
      const tally = events.reduce(countEvent, EMPTY_TALLY);
      const summary = summarize({ id, folder, tally }, holder ?? undefined);
      yield { opened, summary, hasMessageWith: (text) => events.some((event) => text.isSaidIn(event)) };
    }
  }

  async delete(id: ConversationId): Promise<void> {
    const { holder } = this.#find(id);
    if (holder !== null) throw new ConversationLockedError(id, holder);
    this.#conversations.delete(id);
  }

  async close(): Promise<void> {
    // Nothing is held open.
  }

  #find(id: ConversationId): Kept {
    const kept = this.#conversations.get(id);
    if (kept === undefined) throw new UnknownConversationError(id);
    return kept;
  }

  #putFirst(kept: Kept): void {
    this.#conversations.delete(kept.id);
    this.#conversations.set(kept.id, kept);
    kept.opened = ++this.#openings;
  }

  #openForWriting(kept: Kept): ConversationLog {
    const before = kept.holder;
    kept.holder = { ...describeThisProcess(), since: this.#clock() };
    kept.fence++;
    return new MemoryLog(kept, this.#clock, before);
  }
}

class MemoryReader implements ConversationReader {
  protected readonly conversation: Kept;
  readonly #lastSeq: number;

  constructor(kept: Kept) {
    this.conversation = kept;
    this.#lastSeq = kept.events.length;
  }

  get id(): ConversationId {
    return this.conversation.id;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get restoredSeq(): number {
    return this.conversation.restoredSeq;
  }

  read(from = 1, to = this.lastSeq): AsyncIterable<RecordedEvent> {
    return toAsync(this.conversation.events.slice(Math.max(0, from - 1), Math.min(to, this.lastSeq)));
  }

  async readCheckpoint(): Promise<Checkpoint | null> {
    return this.conversation.checkpoint;
  }

  async close(): Promise<void> {
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
    return this.conversation.events.length;
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const events = numberFacts(facts, this.lastSeq, this.#clock());
    this.#add(events);
    return events;
  }

  kept(): undefined {}

  async restore(events: Iterable<RecordedEvent>): Promise<void> {
    this.#add(events);
    this.conversation.restoredSeq = this.lastSeq;
  }

  #add(events: Iterable<RecordedEvent>): void {
    this.#requireLease();
    const added = [...requireNext(events, this.lastSeq)];
    for (const event of added) this.conversation.events.push(event);
  }

  async saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    this.#requireLease();
    this.conversation.checkpoint = structuredClone(checkpoint);
  }

  override async close(): Promise<void> {
    if (this.#fence === this.conversation.fence) this.conversation.holder = null;
  }

  #requireLease(): void {
    if (this.#fence !== this.conversation.fence || this.conversation.holder === null)
      throw new LeaseLostError(this.id);
  }
}
