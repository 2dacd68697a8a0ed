import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Query, SharedDatabase, SharedRow } from '../../src/store/postgres/SharedStore.js';

/** Connections as one role, closed with the test: the part of a shared store that parts beside it stand on. */
export async function openDatabase(url: string): Promise<SharedDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  const queryOn = (connection: pg.Pool | pg.PoolClient): Query => {
    return async <Row extends SharedRow>(text: string, values?: readonly unknown[]) =>
      (await connection.query<Row>(text, values && [...values])).rows;
  };
  return {
    role: new URL(url).username,
    storeId: 'a store of a test',
    query: queryOn(pool),
    ask: queryOn(pool),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const value = await work(queryOn(client));
        await client.query('COMMIT');
        return value;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
