// A Postgres of its own for the benchmark, with a shared store, and a line to it that is as long as one likes.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres, keepPostgres } from '../../scripts/postgres.mjs';

export class BenchPostgres {
  #kept;
  #pool;
  #lines = [];
  #database;
  folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));

  static async start() {
    const { bin, missing } = findPostgres();
    if (bin === undefined) throw new Error(missing);
    const server = new BenchPostgres();
    server.#kept = await keepPostgres(bin, { isDurable: true });
    await server.useDatabase('postgres');
    return server;
  }

  /** A new database in place of the one before, with nothing in it. */
  async create(name) {
    await this.admin(`CREATE DATABASE ${name} TEMPLATE template0`);
    await this.useDatabase(name);
  }

  async useDatabase(name) {
    await this.#pool?.end();
    this.#database = name;
    this.#pool = new pg.Pool({ connectionString: this.url(), max: 2 });
  }

  url = (role = 'postgres') =>
    `postgres://${role}@${encodeURIComponent(this.#kept.folder)}/${this.#database}`;

  admin = async (statement, values = []) => (await this.#pool.query(statement, values)).rows;

  /** The address of the same database at a distance: everything arrives so many milliseconds later, there and back. */
  async urlAt(role, milliseconds) {
    const socket = join(this.#kept.folder, '.s.PGSQL.5432');
    const line = createServer({ noDelay: true }, (near) => {
      const far = connect(socket);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ]) {
        from.on('data', (data) => setTimeout(() => to.writable && to.write(data), milliseconds / 2));
        from.on('close', () => setTimeout(() => to.destroy(), milliseconds / 2));
        from.on('error', () => to.destroy());
      }
    });
    line.listen(0, '127.0.0.1');
    await once(line, 'listening');
    this.#lines.push(line);
    return `postgres://${role}@127.0.0.1:${line.address().port}/${this.#database}`;
  }

  async end() {
    for (const line of this.#lines) line.close();
    await this.#pool.end();
    await this.#kept.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
