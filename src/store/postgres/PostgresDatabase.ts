import { readFileSync } from 'node:fs';
import type { Logger } from '../../utils/logger.js';
import { within } from '../../utils/within.js';
import {
  type FailurePlace,
  StoreNewerError,
  StoreNotSetUpError,
  StoreOutOfReachError,
} from '../storeErrors.js';
import { explainDatabaseFailure, explainLockFailure, sqlStateOf } from './databaseFailures.js';
import { pg } from './pgPackage.js';
import type { Query, SharedDatabase, SharedRow } from './SharedStore.js';
import { parseStoreUrl, type StoreAddress } from './storeUrl.js';

/** Connections at once: a worker holds many conversations, and a server serves many workers. */
const MOST_CONNECTIONS = 5;
const CONNECT_MILLISECONDS = 5000;
/** A statement that takes so long is not answered any more; its connection is given up. */
const QUERY_MILLISECONDS = 60_000;
/** Longer values are waited for longer: so many characters take a millisecond on a slow line. */
const CHARACTERS_A_MILLISECOND = 50;
/** A server that does not answer is not waited for by whoever leaves: what is not given back expires. */
export const CLOSE_MILLISECONDS = 2000;
const INT8 = 20;
/** The codes of a name that stands for no statement, or for one already. */
const FORGOTTEN: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** Numbers of rows fit into a number of JavaScript. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** The connections of this process to a shared store. */
export class PostgresDatabase implements SharedDatabase {
  readonly address: StoreAddress;
  readonly #pool: pg.Pool;
  readonly #answerWithin: number;
  #role = '';
  #storeId = '';
  #hasForgotten = false;

  /**
   * Connects when it is used; `readStore` is for those who need what is there.
   *
   * @param answerWithin So many milliseconds the server may take to let us in, and for each answer.
   */
  constructor(url: string, logger: Logger = {}, answerWithin?: number) {
    this.#answerWithin = answerWithin ?? QUERY_MILLISECONDS;
    this.address = parseStoreUrl(url);
    this.#role = String(this.address.config.user);
    this.#pool = new pg.Pool({
      ...this.address.config,
      types,
      max: MOST_CONNECTIONS,
      connectionTimeoutMillis: answerWithin ?? CONNECT_MILLISECONDS,
      keepAlive: true,
      allowExitOnIdle: true,
    });
    const note = (error: Error) => logger.debug?.(`A connection to the store was lost: ${error.message}`);
    this.#pool.on('error', note);
    // Also while one is in use; whoever uses it is told by the answer to the statement.
    this.#pool.on('connect', (client) => client.on('error', note));
  }

  get role(): string {
    return this.#role;
  }

  get storeId(): string {
    return this.#storeId;
  }

  get place(): FailurePlace {
    return { store: this.address.name, role: this.#role };
  }

  readonly query: Query = (text, values) => this.ask(text, values, this.#answerWithin);

  /** Sends one statement and waits so long for its answer. */
  ask<Answer extends SharedRow>(
    text: string,
    values: readonly unknown[] = [],
    milliseconds: number,
  ): Promise<Answer[]> {
    return this.#withClient((client) => this.#send(client, text, values, milliseconds));
  }

  /**
   * The same for a statement that is sent often: every connection parses it once. A proxy that shares connections may forget
   * it between two statements; from then on it is sent like any other.
   */
  async askOften(
    name: string,
    text: string,
    values: readonly unknown[],
    milliseconds: number,
  ): Promise<void> {
    if (!this.#hasForgotten)
      try {
        await this.#withClient((client) => this.#send(client, text, values, milliseconds, name));
        return;
      } catch (error) {
        if (!FORGOTTEN.has(sqlStateOf(error))) throw error;
        this.#hasForgotten = true;
      }
    await this.ask(text, values, milliseconds);
  }

  transaction<Value>(work: (query: Query) => Promise<Value>): Promise<Value> {
    return this.#withClient(async (client) => {
      const query: Query = (text, values = []) => this.#send(client, text, values, this.#answerWithin);
      await query('BEGIN');
      try {
        const value = await work(query);
        await query('COMMIT');
        return value;
      } catch (error) {
        // Without an answer the connection is given up, which rolls back as well.
        if (!(error instanceof StoreOutOfReachError)) await query('ROLLBACK');
        throw error;
      }
    });
  }

  /** A connection of its own, for `LISTEN`, that waits so long for answers. Not connected yet. */
  createClient(milliseconds: number): pg.Client {
    return new pg.Client({
      ...this.address.config,
      types,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      query_timeout: milliseconds,
      keepAlive: true,
    });
  }

  /** Learns which store this is. Throws StoreNotSetUpError, and StoreNewerError for one of a later Huddle. */
  async readStore(): Promise<void> {
    const [row] = await this.query<{ role: string; id: string; version: number }>(
      'SELECT session_user::text AS role, id::text, version FROM huddle.store',
    );
    if (row === undefined) throw new StoreNotSetUpError(this.address.name, false);
    if (row.version > SHARED_VERSION)
      throw new StoreNewerError({ file: this.address.name }, row.version, SHARED_VERSION);
    if (row.version < SHARED_VERSION) throw new StoreNotSetUpError(this.address.name, true);
    this.#role = row.role;
    this.#storeId = row.id;
  }

  /** Waits for statements that run, but not for a server that does not answer. */
  async close(): Promise<void> {
    await within(CLOSE_MILLISECONDS, this.#pool.end());
  }

  async #withClient<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
    const client = await this.#explain(this.#pool.connect());
    let isBroken = false;
    try {
      return await work(client);
    } catch (error) {
      isBroken = error instanceof StoreOutOfReachError;
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async #send<Answer extends SharedRow>(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
    milliseconds: number,
    name?: string,
  ): Promise<Answer[]> {
    // The types of the driver do not know the limit of a single statement.
    const config: pg.QueryConfig & { readonly query_timeout: number } = {
      text,
      name,
      values: [...values],
      query_timeout: milliseconds + Math.ceil(countCharacters(values) / CHARACTERS_A_MILLISECOND),
    };
    return (await this.#explain(client.query<Answer>(config))).rows;
  }

  async #explain<Value>(answer: Promise<Value>): Promise<Value> {
    try {
      return await answer;
    } catch (error) {
      throw explainLockFailure(error, this.place) ?? explainDatabaseFailure(error, this.place);
    }
  }
}

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, each) => sum + countCharacters(each), 0) : 0;
}

/** Version of the tables and functions that this Huddle knows; each has a file that makes it of the one before. */
export const SHARED_VERSION = 2;

/** Statements that make a version of the one before; the first one, of a database that has no store. */
export function readMigration(version: number): string {
  const name = `migrations/${String(version).padStart(4, '0')}.sql`;
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
