import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type { Checkpoint, ConversationLog, ConversationReader, LeaseHolder } from '../Store.js';
import { LeaseLostError, StoreDamagedError, StoreNewerError, StoreWriteError } from '../storeErrors.js';
import { countEvent } from '../summary.js';
import type { ConversationTable, StoredConversation } from './ConversationTable.js';
import { checksumOf } from './checksums.js';
import { EncodedTexts } from './EncodedTexts.js';
import type { Database, Row, Statement } from './loadSqlite.js';
import { withFile } from './sqliteFailures.js';
import { inTransaction } from './transaction.js';
import type { WriteAheadLog } from './WriteAheadLog.js';

/** Rows fetched at once: no statement stays open between them, so reading never holds up a writer. */
const PAGE_ROWS = 500;
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

  *read(from = 1, to = this.lastSeq): Generator<RecordedEvent> {
    const last = Math.min(to, this.lastSeq);
    for (let first = Math.max(1, from); first <= last; first += PAGE_ROWS) {
      yield* this.#readPage(first, Math.min(last, first + PAGE_ROWS - 1));
    }
  }

  readCheckpoint(): Checkpoint | null {
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

  close(): void {
    // The file belongs to the store.
  }

  *#readPage(first: number, last: number): Generator<RecordedEvent> {
    const rows = this.#readRows(first, last);
    for (let seq = first; seq <= last; seq++) {
      // One unreadable row must not hide its neighbours: after a failure they come one by one.
      const row = rows === null ? this.#readRows(seq, seq)?.[0] : rows[seq - first];
      yield this.#readEvent(row, seq);
    }
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
    if (!isIntact) {
      throw new StoreDamagedError({
        file: this.file,
        conversationId: this.id,
        intactEvents: seq - 1,
        reason: `event ${seq} is ${row === undefined ? 'missing' : 'not as it was written'}`,
      });
    }
    const event = JSON.parse(body) as RecordedEvent; // As we wrote it, says the checksum.
    if (event.v > EVENT_VERSION)
      throw new StoreNewerError(`Event ${seq} of ${this.id}`, event.v, EVENT_VERSION);
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
  readonly writeAheadLog: WriteAheadLog;
  readonly conversation: StoredConversation;
  readonly clock: () => number;
  readonly takenOverFrom?: LeaseHolder;
}

export class SqliteLog extends SqliteReader implements ConversationLog {
  readonly takenOverFrom?: LeaseHolder;
  readonly #conversations: ConversationTable;
  readonly #writeAheadLog: WriteAheadLog;
  readonly #clock: () => number;
  readonly #insert: Statement;
  readonly #saveCheckpoint: Statement;
  readonly #texts = new EncodedTexts();

  constructor(parts: SqliteLogParts) {
    const { database, file, conversation, takenOverFrom } = parts;
    super(database, file, conversation);
    this.#conversations = parts.conversations;
    this.#writeAheadLog = parts.writeAheadLog;
    this.#clock = parts.clock;
    if (takenOverFrom !== undefined) this.takenOverFrom = takenOverFrom;
    // What was encoded ahead of time comes as bytes.
    this.#insert = database.prepare(
      'INSERT INTO event (place, body, checksum) VALUES (?, CAST(? AS TEXT), ?)',
    );
    this.#saveCheckpoint = database.prepare(
      `INSERT OR REPLACE INTO checkpoint (number, seq, body, checksum)
       SELECT ?1, ?2, ?3, ?4 FROM conversation WHERE number = ?1 AND fence = ?5`,
    );
  }

  prepareText(text: string): Promise<void> {
    return this.#texts.prepare(text);
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const events = numberFacts(facts, this.lastSeq, this.#clock());
    this.restore(events);
    return events;
  }

  restore(events: Iterable<RecordedEvent>): void {
    let { tally, lastSeq } = this.conversation;
    let bytes = 0;
    const advanced = () => ({ ...this.conversation, tally, lastSeq });
    withFile(this.file, () =>
      inTransaction(this.database, () => {
        if (!this.#conversations.isHeld(this.conversation)) throw new LeaseLostError(this.id);
        for (const event of requireNext(events, lastSeq)) {
          const body = this.#texts.stringify(event);
          bytes += body.length;
          this.#insert.run(this.placeOf(event.seq), body, checksumOf(body, this.id, event.seq));
          tally = countEvent(tally, event);
          lastSeq = event.seq;
        }
        this.#conversations.update(advanced());
      }),
    );
    this.conversation = advanced();
    this.#writeAheadLog.noteCommit(bytes);
  }

  saveCheckpoint({ seq, value }: Checkpoint): void {
    const { number, fence } = this.conversation;
    const body = JSON.stringify(value);
    withFile(this.file, () =>
      this.#saveCheckpoint.run(number, seq, body, checksumOf(body, 'checkpoint', this.id, seq), fence),
    );
  }

  override close(): void {
    const { number, fence } = this.conversation;
    try {
      withFile(this.file, () => this.#conversations.setLease(number, fence, null));
    } catch (error) {
      // A lease that cannot be given back is stale as soon as this process ends.
      if (!(error instanceof StoreWriteError)) throw error;
    }
  }
}
