import { existsSync } from 'node:fs';
import type { ConversationId } from '../../models/ids.js';
import type { Logger } from '../../utils/logger.js';
import { describeThisProcess, mayBeAlive } from '../../utils/processIdentity.js';
import { findMeant, type ListedEntry, takePage } from '../listConversations.js';
import type {
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
  StoreDamagedError,
  StoreWriteError,
  UnknownConversationError,
} from '../storeErrors.js';
import { type ConversationSummary, EMPTY_TALLY, summarize } from '../summary.js';
import { deleteAnswers } from './answerFiles.js';
import { ConversationTable, MessageSearch, type StoredConversation } from './ConversationTable.js';
import { type Database, inTransaction } from './loadSqlite.js';
import { openDatabase, openDatabaseToRead } from './openDatabase.js';
import { SqliteLog, SqliteReader } from './SqliteLog.js';
import { withFile, withFileAwaited } from './sqliteFailures.js';
import { WalRoom } from './WalRoom.js';

export interface SqliteStoreOptions {
  /** The database; its folder and itself are made where needed. */
  readonly file: string;
  readonly clock?: () => number;
  /** Hears of file modes that had to be fixed. */
  readonly logger?: Logger;
  /** SQLite's own limit on the size of the file; a page has 4 KB. */
  readonly maxPages?: number;
  /** Opens a file also in a folder that cannot be written to, to read it; what would write rejects then. Default: that is an error. */
  readonly mayOnlyRead?: boolean;
}

/**
 * Keeps conversations in one SQLite file that survives whatever happens to the process. Close it at the end.
 *
 * @throws {@link StoreUnavailableError} from the constructor if the file cannot be opened, {@link StoreNewerError} and
 * {@link StoreOlderError} if another version of Huddle wrote it.
 *
 * @example
 * ```ts
 * const store = new SqliteStore({ file: 'data/conversations.sqlite' });
 * const conversation = await createConversation({ team, store });
 * ```
 */
export class SqliteStore implements Store {
  readonly #file: string;
  readonly #clock: () => number;
  readonly #database: Database;
  readonly #conversations: ConversationTable;
  readonly #walRoom: WalRoom;
  readonly #messages: MessageSearch;

  constructor({ file, clock = Date.now, logger = {}, maxPages, mayOnlyRead }: SqliteStoreOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#database = openDatabase(file, logger, mayOnlyRead);
    this.#walRoom = new WalRoom(file);
    try {
      if (maxPages !== undefined) this.#database.exec(`PRAGMA max_page_count = ${Number(maxPages)}`);
      this.#conversations = withFile(file, () => new ConversationTable(this.#database, file));
      this.#messages = withFile(file, () => new MessageSearch(this.#database));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  async create(id: ConversationId, { folder }: CreateOptions = {}): Promise<ConversationLog> {
    return this.#write(() => this.#create(id, folder));
  }

  async createWhole(
    id: ConversationId,
    contents: ConversationContents,
    { folder }: CreateOptions = {},
  ): Promise<void> {
    this.#write(() => {
      const left = this.#conversations.findIntact(id);
      const isEmpty = left?.lastSeq === 0 && (left.holder === null || !mayBeAlive(left.holder));
      if (isEmpty) this.#conversations.delete(left.number);
      this.#create(id, folder).fill(contents);
    });
  }

  async open(
    id: ConversationId,
    { takeOver = false, inPlace = false, folder }: OpenOptions = {},
  ): Promise<ConversationLog> {
    return this.#write(() => {
      const found = takeOver ? this.#find(id) : this.#findFree(id);
      const moved = folder === undefined ? found : { ...found, folder };
      if (moved !== found) this.#conversations.update(moved);
      if (!inPlace) this.#conversations.putFirst(found.number);
      return this.#takeLease(moved, found.holder ?? undefined);
    });
  }

  async read(id: ConversationId): Promise<ConversationReader> {
    return withFile(this.#file, () => new SqliteReader(this.#database, this.#file, this.#find(id)));
  }

  async list(query: ConversationQuery): Promise<ConversationPage> {
    return withFileAwaited(this.#file, () => takePage(this.#listed(query.from), query));
  }

  async find(word: string): Promise<readonly ConversationSummary[]> {
    return withFile(this.#file, () => {
      // The one of this id is asked for again and again; the others need not be read for it.
      const same = this.#conversations.findIntact(word);
      return same === undefined ? findMeant(this.#listed(), word) : [summarizeStored(same)];
    });
  }

  *#listed(before?: number): Generator<ListedEntry> {
    for (const { opened, id, conversation } of this.#conversations.entries(before)) {
      if (conversation === null) {
        // Its id is what is left of it.
        const summary = summarize({ id, tally: EMPTY_TALLY }, 'damaged');
        yield { opened, summary, hasMessageWith: () => false };
        continue;
      }
      const { number } = conversation;
      const summary = summarizeStored(conversation);
      yield { opened, summary, hasMessageWith: (text) => this.#messages.has(number, text) };
    }
  }

  async delete(id: ConversationId): Promise<void> {
    this.#write(() => {
      const number = this.#conversations.findDamaged(id) ?? this.#findFree(id).number;
      deleteAnswers(this.#file, id);
      this.#conversations.delete(number);
    });
    this.#emptyWal();
  }

  async close(): Promise<void> {
    await this.#walRoom.close();
    try {
      this.#emptyWal();
    } finally {
      this.#database.close();
    }
  }

  /** Moves the WAL into the file, so that one file is left to copy or to look at. */
  #emptyWal(): void {
    try {
      withFile(this.#file, () => this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    } catch (error) {
      // The WAL is durable too: what did not go over now goes over later.
      if (!(error instanceof StoreWriteError || error instanceof StoreDamagedError)) throw error;
    }
  }

  #create(id: ConversationId, folder: string | undefined): SqliteLog {
    if (this.#conversations.has(id)) throw new ConversationExistsError(id);
    this.#conversations.insert(id, EMPTY_TALLY, folder);
    const created = this.#find(id);
    this.#conversations.putFirst(created.number);
    return this.#takeLease(created);
  }

  #find(id: ConversationId): StoredConversation {
    const found = this.#conversations.find(id);
    if (found === undefined) throw new UnknownConversationError(id);
    return found;
  }

  /** Finds a conversation that no running process writes. Throws ConversationLockedError. */
  #findFree(id: ConversationId): StoredConversation {
    const found = this.#find(id);
    if (found.holder !== null && mayBeAlive(found.holder))
      throw new ConversationLockedError(id, found.holder);
    return found;
  }

  /** Takes the lease. Each one has a higher fencing number, so the holder before cannot write any more. */
  #takeLease(found: StoredConversation, takenOverFrom?: LeaseHolder): SqliteLog {
    const fence = found.fence + 1;
    this.#conversations.setLease(found.number, fence, { ...describeThisProcess(), since: this.#clock() });
    return new SqliteLog({
      database: this.#database,
      file: this.#file,
      conversations: this.#conversations,
      conversation: { ...found, fence },
      clock: this.#clock,
      walRoom: this.#walRoom,
      takenOverFrom,
    });
  }

  #write<Value>(work: () => Value): Value {
    return withFile(this.#file, () => inTransaction(this.#database, work), 'write');
  }
}

function summarizeStored(conversation: StoredConversation): ConversationSummary {
  const { holder } = conversation;
  return summarize(conversation, holder !== null && mayBeAlive(holder) ? holder : undefined);
}

/**
 * Works with one conversation of a file that is opened for this alone and never written.
 *
 * @throws {@link UnknownConversationError} (as a rejection), also when there is no file: then nothing was ever saved.
 */
export async function readSaved<Value>(
  file: string,
  id: ConversationId,
  work: (reader: ConversationReader) => Promise<Value>,
): Promise<Value> {
  if (!existsSync(file)) throw new UnknownConversationError(id);
  const database = openDatabaseToRead(file);
  try {
    const found = withFile(file, () => new ConversationTable(database, file).find(id));
    if (found === undefined) throw new UnknownConversationError(id);
    return await work(new SqliteReader(database, file, found));
  } finally {
    database.close();
  }
}
