import { createRequire } from 'node:module';
import { StoreUnavailableError } from '../storeErrors.js';

/** The part of `node:sqlite` that we use; the package for older Nodes has the same. */
export interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => Database;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type SqlValue = string | number | Uint8Array | null;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/** A row as SQLite returns it; its content is not checked. */
export type Row = Readonly<Record<string, unknown>>;

const PACKAGE = '@photostructure/sqlite';

/** Node's own SQLite where there is one, else the optional package. Throws StoreUnavailableError. */
export function loadSqlite(): SqliteModule {
  const builtIn = quietly(() => process.getBuiltinModule('node:sqlite'));
  // Its types are newer than the oldest Node we support.
  if (builtIn !== undefined) return builtIn as SqliteModule;
  try {
    return createRequire(import.meta.url)(PACKAGE) as SqliteModule;
  } catch (cause) {
    throw new StoreUnavailableError(PACKAGE, cause);
  }
}

/** Node 22 says on stderr that its SQLite is experimental, once, at the moment it is loaded. */
function quietly<Value>(load: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

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
