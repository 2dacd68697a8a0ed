import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../../models/ids.js';
import { toAsync } from '../../utils/AnyIterable.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type {
  Checkpoint,
  ConversationContents,
  ConversationLog,
  ConversationReader,
  LeaseHolder,
} from '../Store.js';
import { LeaseLostError, StoreDamagedError, StoreNewerError, StoreWriteError } from '../storeErrors.js';
import { countEvent } from '../summary.js';
import { saveAnswer } from './answerFiles.js';
import { type ConversationTable, checksumOf, type StoredConversation } from './ConversationTable.js';
import { type Database, inTransaction, type Row, type Statement } from './loadSqlite.js';
import { withFile } from './sqliteFailures.js';
import type { WalRoom } from './WalRoom.js';

/** Rows fetched at once: no statement stays open between them, so reading never holds up a writer. */
const PAGE_ROWS = 500;
/** Number of places for the events of each conversation; see `storeSchema.ts`. */
const PLACES = 2 ** 32;

export class SqliteReader implements ConversationReader {
  protected readonly database: Database;
  protected readonly file: string;
  protected conversation: StoredConversation;
  readonly #page: Statement;

  constructor(database: Database, file: string, conversation: StoredConversation) {
    this.database = database;
    this.file = file;
    this.conversation = conversation;
    this.#page = database.prepare(
      'SELECT place, body, checksum FROM event WHERE place BETWEEN ? AND ? ORDER BY place',
    );
  }

  get id(): ConversationId {
    return this.conversation.id;
  }

  get lastSeq(): number {
    return this.conversation.lastSeq;
  }

  get restoredSeq(): number {
    return this.conversation.restoredSeq;
  }

  read(from = 1, to = this.lastSeq): AsyncIterable<RecordedEvent> {
    return toAsync(this.#readEvents(Math.max(1, from), Math.min(to, this.lastSeq)));
  }

  *#readEvents(from: number, last: number): Generator<RecordedEvent> {
    for (let first = from; first <= last; first += PAGE_ROWS) {
      const end = Math.min(last, first + PAGE_ROWS - 1);
      const rows = this.#readRows(first, end);
      for (let seq = first; seq <= end; seq++) {
        // One unreadable row must not hide its neighbours: after a failure they come one by one.
        const row = rows === null ? this.#readRows(seq, seq)?.[0] : rows[seq - first];
        yield this.#readEvent(row, seq);
      }
    }
  }

  async readCheckpoint(): Promise<Checkpoint | null> {
    const row = withFile(this.file, () =>
      this.database
        .prepare('SELECT seq, body, checksum FROM checkpoint WHERE number = ?')
        .get(this.conversation.number),
    );
    const { seq, body, checksum } = row ?? {};
    if (typeof seq !== 'number' || typeof body !== 'string') return null;
    const isIntact = seq <= this.lastSeq && checksumOf(body, 'checkpoint', this.id, seq) === checksum;
    return isIntact ? { seq, value: JSON.parse(body) } : null;
  }

  async close(): Promise<void> {
    // The file belongs to the store.
  }

  /** Null when SQLite cannot make sense of them. */
  #readRows(first: number, last: number): Row[] | null {
    try {
      return withFile(this.file, () => this.#page.all(this.placeOf(first), this.placeOf(last)));
    } catch (error) {
      if (error instanceof StoreDamagedError) return null;
      throw error;
    }
  }

  #readEvent(row: Row | undefined, seq: number): RecordedEvent {
    const { place, body, checksum } = row ?? {};
    const isIntact =
      place === this.placeOf(seq) && typeof body === 'string' && checksumOf(body, this.id, seq) === checksum;
    if (!isIntact)
      throw new StoreDamagedError({
        file: this.file,
        conversationId: this.id,
        intactEvents: seq - 1,
        damage: { event: seq, isMissing: row === undefined },
      });
    // As we wrote it, says the checksum.
    const event = JSON.parse(body) as RecordedEvent;
    if (event.v > EVENT_VERSION)
      throw new StoreNewerError({ event: seq, of: this.id }, event.v, EVENT_VERSION);
    return event;
  }

  protected placeOf(seq: number): number {
    return this.conversation.number * PLACES + seq;
  }
}

export interface SqliteLogParts {
  readonly database: Database;
  readonly file: string;
  readonly conversations: ConversationTable;
  readonly conversation: StoredConversation;
  readonly clock: () => number;
  readonly walRoom: WalRoom;
  readonly takenOverFrom?: LeaseHolder;
}

export class SqliteLog extends SqliteReader implements ConversationLog {
  readonly takenOverFrom?: LeaseHolder;
  readonly #conversations: ConversationTable;
  readonly #clock: () => number;
  readonly #walRoom: WalRoom;
  readonly #insert: Statement;
  readonly #saveCheckpoint: Statement;

  constructor(parts: SqliteLogParts) {
    const { database, file, conversations, conversation, clock, walRoom, takenOverFrom } = parts;
    super(database, file, conversation);
    this.#conversations = conversations;
    this.#clock = clock;
    this.#walRoom = walRoom;
    this.takenOverFrom = takenOverFrom;
    this.#insert = database.prepare('INSERT INTO event (place, body, checksum) VALUES (?, ?, ?)');
    this.#saveCheckpoint = database.prepare(
      `INSERT OR REPLACE INTO checkpoint (number, seq, body, checksum)
       SELECT ?1, ?2, ?3, ?4 FROM conversation WHERE number = ?1 AND fence = ?5`,
    );
  }

  saveAnswer(turnId: TurnId, text: string): Promise<string> {
    return saveAnswer(this.file, this.id, turnId, text);
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const events = numberFacts(facts, this.lastSeq, this.#clock());
    this.#add(events, () => this.restoredSeq);
    this.#walRoom.noteAppend();
    return events;
  }

  /** A commit is on the disk when `append` returns. */
  kept(): undefined {}

  async restore(events: Iterable<RecordedEvent>): Promise<void> {
    this.#restore(events);
  }

  /** Writes all that is in a new conversation and gives it back; nothing is awaited, so it can be part of a transaction. */
  fill({ restored = [], added = [], checkpoint }: ConversationContents): void {
    this.#restore(restored);
    this.append(added);
    const made = checkpoint?.() ?? null;
    if (made !== null) this.#keepCheckpoint(made);
    this.#release();
  }

  #restore(events: Iterable<RecordedEvent>): void {
    this.#add(events, (lastSeq) => lastSeq);
  }

  #add(events: Iterable<RecordedEvent>, restoredSeqAt: (lastSeq: number) => number): void {
    let { tally, lastSeq } = this.conversation;
    const advanced = () => ({ ...this.conversation, tally, lastSeq, restoredSeq: restoredSeqAt(lastSeq) });
    const write = (): void => {
      if (!this.#conversations.isHeld(this.conversation)) throw new LeaseLostError(this.id);
      for (const event of requireNext(events, lastSeq)) {
        const body = JSON.stringify(event);
        this.#insert.run(this.placeOf(event.seq), body, checksumOf(body, this.id, event.seq));
        tally = countEvent(tally, event);
        lastSeq = event.seq;
      }
      this.#conversations.update(advanced());
    };
    withFile(this.file, () => inTransaction(this.database, write), 'write');
    this.conversation = advanced();
  }

  async saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    this.#keepCheckpoint(checkpoint);
  }

  #keepCheckpoint({ seq, value }: Checkpoint): void {
    const { number, fence } = this.conversation;
    const body = JSON.stringify(value);
    const save = () =>
      this.#saveCheckpoint.run(number, seq, body, checksumOf(body, 'checkpoint', this.id, seq), fence);
    withFile(this.file, save, 'write');
  }

  override async close(): Promise<void> {
    try {
      this.#release();
    } catch (error) {
      // A lease that cannot be given back is stale as soon as this process ends.
      if (!(error instanceof StoreWriteError)) throw error;
    }
  }

  #release(): void {
    const { number, fence } = this.conversation;
    withFile(this.file, () => this.#conversations.setLease(number, fence, null), 'write');
  }
}
