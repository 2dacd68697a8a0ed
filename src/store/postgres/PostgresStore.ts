import { hostname } from 'node:os';
import type { ConversationId } from '../../models/ids.js';
import type { Logger } from '../../utils/logger.js';
import { readVersion } from '../../utils/readVersion.js';
import { within } from '../../utils/within.js';
import { takePage } from '../listConversations.js';
import {
  type ConversationContents,
  type ConversationLog,
  type ConversationPage,
  type ConversationQuery,
  type CreateOptions,
  isSafeId,
  type LostLease,
  type OpenOptions,
} from '../Store.js';
import {
  ConversationExistsError,
  ConversationLockedError,
  NotInConversationError,
  UnknownConversationError,
} from '../storeErrors.js';
import { type ConversationSummary, type ConversationTally, countEvent, EMPTY_TALLY } from '../summary.js';
import { writeConversation } from './batches.js';
import { ConversationRows, readTally } from './ConversationRows.js';
import { explainStoreRefusal, type SharedHolder, showHost } from './databaseFailures.js';
import { CLOSE_MILLISECONDS, PostgresDatabase } from './PostgresDatabase.js';
import { PostgresListener } from './PostgresListener.js';
import { PostgresLog, type SharedHold } from './PostgresLog.js';
import { LEASE_TIMES, type LeaseTimes, PostgresPresence } from './PostgresPresence.js';
import { PostgresReader, type StoredLog } from './PostgresReader.js';
import type { SharedRow, SharedStore } from './SharedStore.js';

export interface PostgresStoreOptions {
  /** The database, for instance `postgres://kim@db.example.org/huddle?sslmode=verify-full`. No password: that is in `~/.pgpass`. */
  readonly url: string;
  /** The name of this machine, for others; default: what the system says. */
  readonly host?: string | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: (() => number) | undefined;
  /** So long facts are sent again to a database that is out of reach, in milliseconds; default: as long as a lease. */
  readonly patience?: number | undefined;
  readonly leaseTimes?: LeaseTimes | undefined;
  /** So many milliseconds the server may take to let us in, and for each answer; default: seconds. */
  readonly answerWithin?: number | undefined;
}

/**
 * Opens a store that many machines share. Close it at the end.
 *
 * @throws {@link StoreOutOfReachError}, {@link StoreRefusedError}, {@link StoreNotSetUpError}, {@link StoreUrlError},
 * {@link StoreNewerError} (as rejections).
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = new PostgresDatabase(options.url, options.logger, options.answerWithin);
  try {
    await database.readStore();
  } catch (error) {
    await database.close();
    throw error;
  }
  return new PostgresStore(database, options);
}

interface HeldRow extends SharedRow {
  readonly number: number;
  readonly fence: number;
  readonly channel: string;
  readonly last_seq: number;
  readonly restored_seq: number;
  readonly tally: string;
  readonly before_pid: number | null;
  readonly before_host: string;
  readonly before_role: string;
  readonly before_since: Date;
}

/** Keeps conversations in a Postgres database. */
export class PostgresStore implements SharedStore {
  readonly database: PostgresDatabase;
  readonly presence: PostgresPresence;
  readonly listener: PostgresListener;
  readonly #rows: ConversationRows;
  readonly #host: string;
  readonly #clock: () => number;
  readonly #patience: number;
  /** Conversations that this process has open now. */
  readonly #logs = new Map<ConversationId, PostgresLog>();
  #closing: Promise<void> | null = null;

  constructor(database: PostgresDatabase, options: Omit<PostgresStoreOptions, 'url'> = {}) {
    const { host = hostname(), logger, clock = Date.now, leaseTimes = LEASE_TIMES } = options;
    this.database = database;
    this.presence = new PostgresPresence({ database, host, version: readVersion(), times: leaseTimes });
    this.listener = new PostgresListener(database, logger);
    this.#rows = new ConversationRows(database, host);
    this.#host = host;
    this.#clock = clock;
    this.#patience = options.patience ?? leaseTimes.lease;
  }

  async create(id: ConversationId, { folder }: CreateOptions = {}): Promise<ConversationLog> {
    if (!isSafeId(id)) throw new RangeError(`Not an id of a conversation: ${id}`);
    const process = await this.presence.arrive();
    const row = await this.#askFor<Pick<HeldRow, 'number' | 'fence' | 'channel'>>(
      id,
      'SELECT * FROM huddle.create_conversation($1, $2, $3, $4)',
      [id, process, JSON.stringify(EMPTY_TALLY), this.#placeOf(folder)],
    );
    return this.#openLog(process, { id, ...row, lastSeq: 0, restoredSeq: 0, tally: EMPTY_TALLY });
  }

  async createWhole(
    id: ConversationId,
    contents: ConversationContents,
    { folder }: CreateOptions = {},
  ): Promise<void> {
    if (!isSafeId(id)) throw new RangeError(`Not an id of a conversation: ${id}`);
    const process = await this.presence.arrive();
    const { role } = this.database;
    const whole = { id, process, role, place: this.#placeOf(folder), contents, at: this.#clock() };
    try {
      await this.database.transaction((query) => writeConversation(query, whole));
    } catch (error) {
      const refusal = explainStoreRefusal(error, id);
      throw refusal instanceof ConversationLockedError ? new ConversationExistsError(id) : refusal;
    }
  }

  async open(
    id: ConversationId,
    { takeOver = false, inPlace = false, folder }: OpenOptions = {},
  ): Promise<ConversationLog> {
    const process = await this.presence.arrive();
    if (!(await (await this.read(id)).isOpenToUs())) throw new NotInConversationError(id, this.database.role);
    const hold = (mayTakeOver: boolean) =>
      this.#askFor<HeldRow>(id, 'SELECT * FROM huddle.hold_conversation($1, $2, $3, $4, $5)', [
        id,
        process,
        mayTakeOver,
        inPlace,
        this.#placeOf(folder),
      ]);
    const row = await hold(takeOver).catch((error: unknown) => {
      // Held by this process without a log of it: the answer to an opening got lost.
      const isOurs = error instanceof ConversationLockedError && !this.#logs.has(id);
      if (isOurs && (error.holder as SharedHolder).process === process) return hold(true);
      throw error;
    });
    const { number, fence, channel, last_seq: lastSeq, restored_seq: restoredSeq } = row;
    const found = { id, number, fence, channel, lastSeq, restoredSeq };
    const tally = readTally(row.tally) ?? (await this.#countAgain(found));
    return this.#openLog(process, { ...found, tally }, this.#readHolderBefore(row));
  }

  async read(id: ConversationId): Promise<PostgresReader> {
    const [row] = await this.database.query<Pick<HeldRow, 'number' | 'last_seq' | 'restored_seq'>>(
      'SELECT number, last_seq, restored_seq FROM huddle.conversation WHERE id = $1',
      [id],
    );
    if (row === undefined) throw new UnknownConversationError(id);
    const { number, last_seq: lastSeq, restored_seq: restoredSeq } = row;
    return new PostgresReader(this.database, { id, number, lastSeq, restoredSeq });
  }

  list(query: ConversationQuery): Promise<ConversationPage> {
    // The rows are those of the folders already, and the text of a folder is not known of all of them.
    return takePage(this.#rows.list(query), { ...query, folders: undefined });
  }

  find(word: string): Promise<readonly ConversationSummary[]> {
    return this.#rows.find(word);
  }

  async visit(id: ConversationId, folder: string): Promise<void> {
    await this.#askFor(id, 'SELECT huddle.visit_conversation($1, $2)', [id, this.#placeOf(folder)]);
  }

  async delete(id: ConversationId): Promise<void> {
    await this.#askFor(id, 'SELECT huddle.delete_conversation($1)', [id]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.listener.close(), within(CLOSE_MILLISECONDS, this.presence.leave())]);
    await this.database.close();
  }

  #openLog(process: string, conversation: SharedHold, takenOverFrom?: LostLease): ConversationLog {
    const { id } = conversation;
    const log = new PostgresLog({
      database: this.database,
      listener: this.listener,
      process,
      conversation,
      clock: this.#clock,
      patience: this.#patience,
      takenOverFrom,
      onClose: () => {
        if (this.#logs.get(id) === log) this.#logs.delete(id);
      },
    });
    this.#logs.set(id, log);
    return log;
  }

  #readHolderBefore({ before_pid: pid, ...before }: HeldRow): LostLease | undefined {
    if (pid === null) return undefined;
    const { before_host: host, before_role: role, before_since } = before;
    const continuedBy = `${this.database.role}@${showHost(this.#host)}`;
    return {
      pid,
      processStart: null,
      host: showHost(host),
      role,
      since: before_since.getTime(),
      continuedBy,
    };
  }

  async #countAgain(found: StoredLog): Promise<ConversationTally> {
    let tally = EMPTY_TALLY;
    for await (const event of new PostgresReader(this.database, found).read())
      tally = countEvent(tally, event);
    return tally;
  }

  #placeOf(folder: string | undefined): string | null {
    return folder === undefined ? null : this.#rows.placeOf(folder);
  }

  /** Calls a function about one conversation, which gives one row. */
  async #askFor<Row extends SharedRow>(
    id: ConversationId,
    text: string,
    values: readonly unknown[],
  ): Promise<Row> {
    try {
      const [row] = await this.database.query<Row>(text, values);
      return row as Row;
    } catch (error) {
      throw explainStoreRefusal(error, id);
    }
  }
}
