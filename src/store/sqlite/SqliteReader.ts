import { EVENT_VERSION, type RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { toAsync } from '../../utils/AnyIterable.js';
import type { Checkpoint, ConversationReader } from '../Store.js';
import { StoreDamagedError, StoreNewerError } from '../storeErrors.js';
import type { StoredConversation } from './ConversationTable.js';
import { checksumOf } from './checksums.js';
import type { Database, Row, Statement } from './loadSqlite.js';
import { withFile } from './sqliteFailures.js';

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
