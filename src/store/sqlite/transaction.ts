import type { Database } from './loadSqlite.js';

/** Runs all of the work or nothing of it; no one else writes meanwhile. */
export function inTransaction<Value>(database: Database, work: () => Value): Value {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // After a full disk or a failing device SQLite has rolled back by itself.
  }
}
