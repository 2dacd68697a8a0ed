import { readFileSync } from 'node:fs';

/** Version of the tables and functions that this Huddle knows; each has a file that makes it of the one before. */
export const SHARED_VERSION = 2;

/** Statements that make a version of the one before; the first one, of a database that has no store. */
export function readMigration(version: number): string {
  const name = `migrations/${String(version).padStart(4, '0')}.sql`;
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
