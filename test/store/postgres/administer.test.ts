import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  checkSharedStore,
  createSharedStore,
  inviteRole,
  removeRole,
  upgradeSharedStore,
} from '../../../src/store/postgres/administer.js';
import { SHARED_VERSION } from '../../../src/store/postgres/PostgresDatabase.js';
import { openPostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { ID, start } from '../facts.js';
import { dropStore, makeFreshStore } from './freshStore.js';

describePostgres('those who look after a shared store', (server) => {
  beforeEach(async () => {
    await dropStore(server());
    for (const role of ['kim', 'bob', 'owner']) await server().createRole(role);
  });

  test('make it once', async () => {
    const made = await Promise.allSettled([
      createSharedStore(server().url()),
      createSharedStore(server().url()),
    ]);
    expect(made).toContainEqual({ status: 'fulfilled', value: true });
    expect(await createSharedStore(server().url())).toBe(false);
    expect(await upgradeSharedStore(server().url())).toEqual({ from: SHARED_VERSION, to: SHARED_VERSION });
  });

  test('need not be superusers', async () => {
    await server().admin('ALTER ROLE owner CREATEROLE');
    await server().admin(`GRANT CREATE ON DATABASE ${await nameOfDatabase(server())} TO owner`);
    const url = server().url('owner');
    expect(await createSharedStore(url)).toBe(true);
    const name = `made_${Date.now()}`;
    onTestFinished(async () => {
      await removeRole(url, name);
      await server().admin(`DROP ROLE ${name}`);
    });
    expect(await inviteRole(url, name)).toEqual({ isNew: true });
    expect(await inviteRole(url, name)).toEqual({ isNew: false });
    expect(await inviteRole(url, 'kim')).toEqual({ isNew: false });
    const [row] = await server().admin(
      'SELECT rolpassword, rolsuper, rolcreaterole, rolcreatedb FROM pg_authid WHERE rolname = $1',
      [name],
    );
    expect(row).toEqual({ rolpassword: null, rolsuper: false, rolcreaterole: false, rolcreatedb: false });
    expect(await checkSharedStore(url)).toMatchObject({
      way: 'socket',
      role: 'owner',
      owner: 'owner',
      isOwner: true,
      version: SHARED_VERSION,
      server: expect.stringMatching(/^\d+\.\d+/),
      members: ['kim', name],
      processes: [],
    });
    const kim = await openPostgresStore({ url: server().url('kim'), host: 'laptop' });
    onTestFinished(() => kim.close());
    const log = await kim.create(ID);
    log.append([start(ID, 'kim', 'bob')]);
    await log.kept();
    expect(await checkSharedStore(server().url('kim'))).toMatchObject({
      role: 'kim',
      owner: 'owner',
      isOwner: false,
      processes: [{ role: 'kim', host: 'laptop', pid: process.pid, offers: null }],
    });
  });

  test('alone can invite, remove and upgrade', async () => {
    await makeFreshStore(server(), 'kim');
    const refused = expect.objectContaining({ code: 'STORE_REFUSED' });
    await expect(inviteRole(server().url('kim'), 'bob')).rejects.toThrow(refused);
    await expect(removeRole(server().url('kim'), 'kim')).rejects.toThrow(refused);
    await expect(upgradeSharedStore(server().url('kim'))).rejects.toThrow(refused);
    await expect(createSharedStore(server().url('bob'))).rejects.toThrow(refused);
  });

  test('take all rights away at once, and what was held is free', async () => {
    await makeFreshStore(server(), 'kim', 'bob');
    const kim = await openPostgresStore({ url: server().url('kim') });
    onTestFinished(() => kim.close().catch(() => undefined));
    const log = await kim.create(ID);
    log.append([start(ID, 'kim', 'bob')]);
    await log.kept();
    await removeRole(server().url(), 'kim');
    const refused = expect.objectContaining({ code: 'STORE_REFUSED' });
    log.append([start(ID, 'kim', 'bob')]);
    await expect(log.kept()).rejects.toThrow(refused);
    await expect(kim.read(ID)).rejects.toThrow(refused);
    await expect(openPostgresStore({ url: server().url('kim') })).rejects.toThrow(refused);
    const bob = await openPostgresStore({ url: server().url('bob') });
    onTestFinished(() => bob.close());
    expect((await bob.open(ID)).takenOverFrom).toMatchObject({ role: 'kim' });
    const [rights] = await server().admin(
      `SELECT has_schema_privilege('kim', 'huddle', 'usage') AS schema,
         has_table_privilege('kim', 'huddle.event', 'select') AS tables,
         has_function_privilege('kim', 'huddle.leave(uuid)', 'execute') AS functions`,
    );
    expect(rights).toEqual({ schema: false, tables: false, functions: false });
  });

  test('name roles as they like', async () => {
    await makeFreshStore(server());
    const role = 'Kim "O\'Hara"; DROP SCHEMA huddle --';
    await server().createRole(role);
    onTestFinished(async () => {
      await removeRole(server().url(), role);
    });
    await inviteRole(server().url(), role);
    expect((await checkSharedStore(server().url())).members).toEqual([role]);
  });

  test('are told of a database without a store, of one of a later Huddle, and of a login that was not invited', async () => {
    const url = server().url();
    await expect(openPostgresStore({ url })).rejects.toThrow(
      expect.objectContaining({
        code: 'STORE_NOT_SET_UP',
        message: expect.stringContaining('huddle store init'),
      }),
    );
    await expect(upgradeSharedStore(url)).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_NOT_SET_UP' }),
    );
    await makeFreshStore(server());
    await expect(openPostgresStore({ url: server().url('bob') })).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_REFUSED', message: expect.stringContaining('refuses bob') }),
    );
    await server().admin('UPDATE huddle.store SET version = 99');
    const newer = expect.objectContaining({ code: 'STORE_NEWER', found: 99, known: SHARED_VERSION });
    for (const attempt of [
      () => openPostgresStore({ url }),
      () => createSharedStore(url),
      () => inviteRole(url, 'bob'),
      () => upgradeSharedStore(url),
      () => checkSharedStore(url),
    ])
      await expect(attempt()).rejects.toThrow(newer);
    await server().admin('UPDATE huddle.store SET version = 0');
    await expect(openPostgresStore({ url })).rejects.toThrow('huddle store upgrade');
  });
});

async function nameOfDatabase(server: { admin(sql: string): Promise<readonly Record<string, unknown>[]> }) {
  return String((await server.admin('SELECT current_database() AS name'))[0]?.name);
}
