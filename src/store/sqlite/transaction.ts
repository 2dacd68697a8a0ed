import type { Database } from './loadSqlite.js';

/** Databases of which a transaction is open. */
const working = new WeakSet<Database>();

/** Runs all of the work or nothing of it; no one else writes meanwhile. Inside another one it is a part of that. */
export function inTransaction<Value>(database: Database, work: () => Value): Value {
  if (working.has(database)) return work();
  database.exec('BEGIN IMMEDIATE');
  working.add(database);
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    rollBack(database);
    throw error;
  } finally {
    working.delete(database);
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // After a full disk or a failing device SQLite has rolled back by itself.
  }
}
