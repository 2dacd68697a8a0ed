import { EVENT_VERSION, type RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { checkRecord } from '../eventSchema.js';
import type { Checkpoint } from '../Store.js';
import { StoreDamagedError, StoreNewerError } from '../storeErrors.js';
import { EventProver, type WrittenEvent } from './EventProver.js';
import type { PostgresDatabase } from './PostgresDatabase.js';
import type { SharedReader } from './SharedStore.js';

/** Rows fetched at once, and bytes: one event may be as long as thousands. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 1024 ** 2;

/** A conversation as its row says it. */
export interface StoredLog {
  readonly number: number;
  readonly id: ConversationId;
  readonly lastSeq: number;
  readonly restoredSeq: number;
}

interface EventRow extends Readonly<Record<string, unknown>> {
  readonly seq: number;
  readonly body: string;
  readonly written_by: string;
}

/** Reads a conversation page by page. */
export class PostgresReader implements SharedReader {
  readonly id: ConversationId;
  protected readonly database: PostgresDatabase;
  protected readonly number: number;
  readonly #prover: EventProver;
  protected lastKnownSeq: number;
  protected restoredUpTo: number;

  constructor(database: PostgresDatabase, { number, id, lastSeq, restoredSeq }: StoredLog) {
    this.id = id;
    this.database = database;
    this.number = number;
    this.#prover = new EventProver(database.query, number);
    this.lastKnownSeq = lastSeq;
    this.restoredUpTo = restoredSeq;
  }

  get lastSeq(): number {
    return this.lastKnownSeq;
  }

  get restoredSeq(): number {
    return this.restoredUpTo;
  }

  extendTo(seq: number): void {
    this.lastKnownSeq = Math.max(this.lastKnownSeq, seq);
  }

  async *read(from = 1, to = this.lastSeq): AsyncGenerator<RecordedEvent> {
    const last = Math.min(to, this.lastSeq);
    let next = Math.max(1, from);
    let page = next <= last ? this.#readPage(next, last) : null;
    while (page !== null) {
      const rows = await page;
      const first = next;
      next += rows.length;
      // The next page is on its way while this one is read.
      page = next <= last && rows.length > 0 ? this.#readPage(next, last) : null;
      page?.catch(() => undefined);
      yield* this.#readRows(rows, first);
    }
    if (next <= last) throw this.#describeDamage(next, true);
  }

  async readCheckpoint(): Promise<Checkpoint | null> {
    // Only what this role wrote: whoever writes a checkpoint decides what the events before it mean.
    const [row] = await this.database.query<{ seq: number; body: string }>(
      'SELECT seq, body FROM huddle.checkpoint WHERE conversation = $1 AND role = session_user',
      [this.number],
    );
    return row === undefined || row.seq > this.lastSeq ? null : { seq: row.seq, value: JSON.parse(row.body) };
  }

  /** Whether what the role of this process writes would count. */
  isOpenToUs(): Promise<boolean> {
    return this.#prover.mayHold(this.database.role);
  }

  async close(): Promise<void> {
    // Connections belong to the store.
  }

  #readPage(first: number, last: number): Promise<EventRow[]> {
    return this.database.query<EventRow>(
      `SELECT seq, body, written_by FROM (
         SELECT seq, body, written_by, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
         FROM huddle.event WHERE conversation = $1 AND seq BETWEEN $2 AND $3
       ) AS page WHERE bytes_before < $4 ORDER BY seq`,
      [this.number, first, Math.min(last, first + PAGE_ROWS - 1), PAGE_BYTES],
    );
  }

  /** Checks events and who wrote them. What comes before the first that is damaged is handed out. */
  async *#readRows(rows: readonly EventRow[], first: number): AsyncGenerator<RecordedEvent> {
    const written: WrittenEvent[] = [];
    let damage: { readonly error: unknown } | undefined;
    for (const [index, row] of rows.entries()) {
      try {
        written.push(this.#readRow(row, first + index));
      } catch (error) {
        damage = { error };
        break;
      }
    }
    yield* await this.#prover.prove(written, this.restoredUpTo);
    if (damage !== undefined) throw damage.error;
  }

  /** An event of another role that nobody can read is none, and no damage; but without a beginning there is no conversation. */
  #readRow(row: EventRow, expected: number): WrittenEvent {
    const { seq, written_by: writtenBy } = row;
    if (seq !== expected) throw this.#describeDamage(expected, true);
    if (writtenBy === this.database.role || seq === 1) return { seq, writtenBy, event: this.#readEvent(row) };
    try {
      return { seq, writtenBy, event: this.#readEvent(row) };
    } catch (error) {
      if (error instanceof StoreDamagedError || error instanceof StoreNewerError)
        return { seq, writtenBy, event: null };
      throw error;
    }
  }

  #readEvent({ seq, body, written_by }: EventRow): RecordedEvent {
    const event = this.#parse(body, seq);
    if (event.v > EVENT_VERSION)
      throw new StoreNewerError({ event: seq, of: this.id }, event.v, EVENT_VERSION);
    const isTrusted = written_by === this.database.role || checkRecord(event).fault === undefined;
    if (!isTrusted || event.seq !== seq) throw this.#describeDamage(seq, false);
    return event;
  }

  #parse(body: string, seq: number): RecordedEvent {
    try {
      const value: unknown = JSON.parse(body);
      if (typeof value === 'object' && value !== null) return value as RecordedEvent;
    } catch (error) {
      throw this.#describeDamage(seq, false, error);
    }
    throw this.#describeDamage(seq, false);
  }

  #describeDamage(seq: number, isMissing: boolean, cause?: unknown): StoreDamagedError {
    return new StoreDamagedError({
      file: this.database.address.name,
      conversationId: this.id,
      intactEvents: seq - 1,
      damage: { event: seq, isMissing },
      cause,
    });
  }
}
