import { beforeAll, beforeEach } from 'vitest';
import { createSharedStore, inviteRole } from '../../../src/store/postgres/administer.js';
import type { TestPostgres } from '../../postgres/TestPostgres.js';

/** Under load the tables take a while. */
const MAKING_MILLISECONDS = 60_000;

/** Gives every test of this suite an empty store with these members. */
export function useFreshStore(server: () => TestPostgres, ...members: readonly string[]): void {
  beforeAll(() => makeFreshStore(server(), ...members), MAKING_MILLISECONDS);
  beforeEach(() => emptyStore(server()), MAKING_MILLISECONDS);
}

/** Makes an empty store in the database of these tests in place of the one before, with these members. */
export async function makeFreshStore(server: TestPostgres, ...members: readonly string[]): Promise<void> {
  await dropStore(server);
  await createSharedStore(server.url());
  for (const member of members) {
    await server.createRole(member);
    await inviteRole(server.url(), member);
  }
}

/** Empties the store in the database of these tests; its members stay. */
async function emptyStore(server: TestPostgres): Promise<void> {
  await server.admin('TRUNCATE huddle.process, huddle.event RESTART IDENTITY CASCADE');
}

/** Drops the store in the database of these tests, if there is one. */
export async function dropStore(server: TestPostgres): Promise<void> {
  await server.admin('DROP SCHEMA IF EXISTS huddle, huddle_jobs CASCADE');
}
