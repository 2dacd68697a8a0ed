import { crc32 } from 'node:zlib';
import type { ConversationId } from '../../models/ids.js';
import type { SearchedText } from '../listConversations.js';
import type { LeaseHolder } from '../Store.js';
import { StoreDamagedError } from '../storeErrors.js';
import type { ConversationTally } from '../summary.js';
import type { Database, Row, Statement } from './loadSqlite.js';

/** A row of the table of conversations. */
export interface StoredConversation {
  readonly number: number;
  readonly id: ConversationId;
  readonly lastSeq: number;
  /** Number of the last event that was restored; 0 when there is none. */
  readonly restoredSeq: number;
  readonly tally: ConversationTally;
  readonly folder: string | undefined;
  readonly fence: number;
  readonly holder: LeaseHolder | null;
}

/** A row in a list; null when it is not as it was written. */
interface ConversationEntry {
  readonly opened: number;
  readonly id: ConversationId;
  readonly conversation: StoredConversation | null;
}

/** Rows fetched at once. */
const PAGE_ROWS = 200;

/** Every conversation there is: how long its log is, what a list shows of it, and who writes it. */
export class ConversationTable {
  readonly #file: string;
  readonly #insert: Statement;
  readonly #find: Statement;
  readonly #page: Statement;
  readonly #update: Statement;
  readonly #isHeld: Statement;
  readonly #setLease: Statement;
  readonly #putFirst: Statement;
  readonly #deletions: readonly Statement[];

  constructor(database: Database, file: string) {
    this.#file = file;
    this.#insert = database.prepare(
      'INSERT INTO conversation (id, last_seq, tally, folder, checksum, fence) VALUES (?, 0, ?, ?, ?, 0)',
    );
    this.#find = database.prepare('SELECT * FROM conversation WHERE id = ?');
    this.#page = database.prepare('SELECT * FROM conversation WHERE opened < ? ORDER BY opened DESC LIMIT ?');
    this.#update = database.prepare(
      'UPDATE conversation SET last_seq = ?, restored_seq = ?, tally = ?, folder = ?, checksum = ? WHERE number = ?',
    );
    this.#isHeld = database.prepare(
      'SELECT 1 FROM conversation WHERE number = ? AND fence = ? AND last_seq = ? AND lease IS NOT NULL',
    );
    this.#setLease = database.prepare(
      'UPDATE conversation SET fence = ?1, lease = ?2 WHERE number = ?3 AND fence <= ?1',
    );
    this.#putFirst = database.prepare(
      'UPDATE conversation SET opened = (SELECT max(opened) + 1 FROM conversation) WHERE number = ?',
    );
    this.#deletions = [
      database.prepare('DELETE FROM event WHERE place BETWEEN (?1 << 32) AND ((?1 + 1) << 32) - 1'),
      database.prepare('DELETE FROM checkpoint WHERE number = ?'),
      database.prepare('DELETE FROM conversation WHERE number = ?'),
    ];
  }

  insert(id: ConversationId, tally: ConversationTally, folder: string | undefined): void {
    const text = JSON.stringify(tally);
    const checksum = checksumOfRow({ tally: text, id, lastSeq: 0, restoredSeq: 0, folder });
    this.#insert.run(id, text, folder ?? null, checksum);
  }

  has(id: ConversationId): boolean {
    return this.#find.get(id) !== undefined;
  }

  /** Throws when the entry is damaged, or could be one of those that are. */
  find(id: ConversationId): StoredConversation | undefined {
    const row = this.#find.get(id);
    const found = row && this.#read(row);
    if (found === null || (found === undefined && this.#mayBeLost(id)))
      throw new StoreDamagedError({
        file: this.#file,
        conversationId: id,
        damage: 'bad-entry',
      });
    return found;
  }

  /** The conversation of this id; undefined when there is none, and when it is damaged. */
  findIntact(id: string): StoredConversation | undefined {
    const row = this.#find.get(id);
    return (row && this.#read(row)) ?? undefined;
  }

  /** The number of a conversation of which nothing else is known, because its entry is damaged. */
  findDamaged(id: ConversationId): number | undefined {
    const row = this.#find.get(id);
    return row && this.#read(row) === null ? Number(row.number) : undefined;
  }

  /** The index does not know it, but a damaged index, or a damaged id, would not. */
  #mayBeLost(id: ConversationId): boolean {
    for (const entry of this.entries()) if (entry.conversation === null || entry.id === id) return true;
    return false;
  }

  /** The one that was put first last comes first; those that were put first before a number, unless all are wanted. */
  *entries(before = Number.MAX_SAFE_INTEGER): Generator<ConversationEntry> {
    for (let first = before, isMore = true; isMore; ) {
      const rows = this.#page.all(first, PAGE_ROWS);
      for (const row of rows) {
        first = Number(row.opened);
        yield { opened: first, id: String(row.id) as ConversationId, conversation: this.#read(row) };
      }
      isMore = rows.length === PAGE_ROWS;
    }
  }

  /** Whether a conversation is still as its writer knows it. */
  isHeld({ number, fence, lastSeq }: StoredConversation): boolean {
    return this.#isHeld.get(number, fence, lastSeq) !== undefined;
  }

  /** Keeps where its log ends now, and what follows from that. */
  update({ number, id, lastSeq, restoredSeq, tally, folder }: StoredConversation): void {
    const text = JSON.stringify(tally);
    const checksum = checksumOfRow({ tally: text, id, lastSeq, restoredSeq, folder });
    this.#update.run(lastSeq, restoredSeq, text, folder ?? null, checksum, number);
  }

  /** Only with the newest fencing number there is. */
  setLease(number: number, fence: number, holder: LeaseHolder | null): void {
    this.#setLease.run(fence, holder && JSON.stringify(holder), number);
  }

  putFirst(number: number): void {
    this.#putFirst.run(number);
  }

  delete(number: number): void {
    for (const deletion of this.#deletions) deletion.run(number);
  }

  /** Null when it is not as it was written. */
  #read(row: Row): StoredConversation | null {
    const { number, id, last_seq: lastSeq, restored_seq: restoredSeq, tally, checksum, fence, lease } = row;
    const folder = row.folder ?? undefined;
    const holder = readHolder(lease);
    const isIntact =
      typeof number === 'number' &&
      typeof id === 'string' &&
      typeof lastSeq === 'number' &&
      typeof restoredSeq === 'number' &&
      typeof tally === 'string' &&
      (folder === undefined || typeof folder === 'string') &&
      typeof fence === 'number' &&
      holder !== undefined &&
      checksumOfRow({ tally, id, lastSeq, restoredSeq, folder }) === checksum;
    if (!isIntact) return null;
    return {
      number,
      lastSeq,
      restoredSeq,
      folder,
      fence,
      holder,
      // What we wrote, says the checksum.
      id: id as ConversationId,
      tally: JSON.parse(tally) as ConversationTally,
    };
  }
}

/** Not covered by the checksum, because it changes alone; undefined when it is not as it was written. */
function readHolder(lease: unknown): LeaseHolder | null | undefined {
  if (lease === null) return null;
  try {
    const holder = JSON.parse(String(lease)) as LeaseHolder;
    return Number.isSafeInteger(holder.pid) && typeof holder.host === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

interface CheckedFields extends Pick<StoredConversation, 'lastSeq' | 'restoredSeq' | 'folder'> {
  readonly id: string;
  readonly tally: string;
}

/** Rows from before folders and restored events were kept have none, and the checksum they always had. */
function checksumOfRow({ tally, id, lastSeq, restoredSeq, folder }: CheckedFields): number {
  const later = [...(folder === undefined ? [] : [folder]), ...(restoredSeq === 0 ? [] : [restoredSeq])];
  return checksumOf(tally, id, lastSeq, ...later);
}

/** Checksum of a text and of its place, so that a text in the wrong place is as wrong as a changed one. */
export function checksumOf(text: string | Uint8Array, ...place: readonly (string | number)[]): number {
  return crc32(text, crc32(`${place.join('\n')}\n`));
}

/** Rows fetched at once. */
const MESSAGE_ROWS = 500;
/** Stands in the body of a message, and in no other: quotes in a text are escaped. */
const MESSAGE = '"type":"message-added"';

/** Looks for text in the messages of stored conversations. */
export class MessageSearch {
  readonly #page: Statement;

  constructor(database: Database) {
    this.#page = database.prepare(
      `SELECT place, body FROM event
       WHERE place > ?1 AND place < ((?2 + 1) << 32) AND instr(body, ?3) > 0
       ORDER BY place LIMIT ${MESSAGE_ROWS}`,
    );
  }

  has(conversation: number, text: SearchedText): boolean {
    let place = conversation * 2 ** 32;
    for (;;) {
      const rows = this.#page.all(place, conversation, MESSAGE);
      if (rows.some(({ body }) => typeof body === 'string' && text.isSaidInBody(body))) return true;
      if (rows.length < MESSAGE_ROWS) return false;
      place = Number(rows.at(-1)?.place);
    }
  }
}
