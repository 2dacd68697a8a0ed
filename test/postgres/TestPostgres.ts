import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { SharedRow } from '../../src/store/postgres/SharedStore.js';
import type { KeptPostgres } from './scripts.js';

const DUPLICATE_OBJECT = '42710';
const UNIQUE_VIOLATION = '23505';

/** A database of one file of tests, on a server that others may use for theirs. Roles are of the server: give them no rights beyond this database. */
export class TestPostgres {
  readonly #url: URL;
  readonly #kept: KeptPostgres | undefined;
  readonly #server: pg.Pool;
  #database: pg.Pool;

  private constructor(server: string, database: string, kept: KeptPostgres | undefined) {
    this.#url = new URL(server);
    this.#server = createPool(this.#url.href);
    this.#url.pathname = `/${database}`;
    this.#database = createPool(this.#url.href);
    this.#kept = kept;
  }

  /**
   * Makes a database.
   *
   * @param server URL of a superuser on a server that trusts its roles.
   */
  static async open(server: string, kept?: KeptPostgres): Promise<TestPostgres> {
    const database = `test_${randomBytes(6).toString('hex')}`;
    const opened = new TestPostgres(server, database, kept);
    await opened.#server.query(`CREATE DATABASE ${database} TEMPLATE template0`);
    return opened;
  }

  /** Address of this database for a role; by default the superuser's, who owns it. */
  url(role?: string): string {
    const url = new URL(this.#url);
    if (role !== undefined) url.username = role;
    return url.href;
  }

  /** Address of this database for a role through the port of `describePostgres(…, { tcp: true })`. */
  urlOverTcp(role: string, settings: Readonly<Record<string, string>> = {}, host = '127.0.0.1'): string {
    const query = new URLSearchParams(settings).toString();
    const path = `${role}@${host}:${this.#url.port}${this.#url.pathname}`;
    return `postgres://${path}${query === '' ? '' : `?${query}`}`;
  }

  /** Writes a file that only the server's user can read, by default in its data folder. */
  async writeFile(file: string, content: string): Promise<void> {
    const lines = `SELECT unnest(string_to_array(${pg.escapeLiteral(content.trimEnd())}, E'\\n'))`;
    const program = pg.escapeLiteral(`umask 077; cat > '${file}'`);
    await this.admin(`COPY (${lines}) TO PROGRAM ${program}`);
  }

  /** One statement as superuser. */
  async admin<Row extends SharedRow = SharedRow>(
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await this.#database.query<Row>(statement, [...values]);
    return rows;
  }

  /** Makes a login without any rights unless there is one, and gives its address. */
  async createRole(name: string): Promise<string> {
    try {
      await this.admin(`CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN`);
    } catch (error) {
      // Another file of tests has made it.
      if (![DUPLICATE_OBJECT, UNIQUE_VIOLATION].includes((error as { code?: string }).code ?? ''))
        throw error;
    }
    return this.url(name);
  }

  /** Breaks the connections of a role to this database, or of all roles; gives how many. */
  async cut(role?: string): Promise<number> {
    const rows = await this.admin(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = coalesce($1, usename)`,
      [role ?? null],
    );
    return rows.length;
  }

  /** Ends the server as its owner would, which breaks every connection. Only of a server that is this file's alone. */
  async stop(): Promise<void> {
    await this.#alone.stop();
  }

  async start(): Promise<void> {
    await this.#alone.start();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async close(): Promise<void> {
    const database = this.#url.pathname.slice(1);
    await this.#database.end();
    if (this.#kept === undefined) await this.#server.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await this.#server.end();
    await this.#kept?.end();
  }

  get #alone(): KeptPostgres {
    if (this.#kept === undefined)
      throw new Error('This server is not alone: describePostgres(…, { alone: true })');
    return this.#kept;
  }
}

/** Connections that are made when they are needed, as few as tests need; a broken one is told to who uses it. */
function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 1000, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  return pool;
}
