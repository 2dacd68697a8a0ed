import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkSharedStore, inviteRole, upgradeSharedStore } from '../../../src/store/postgres/administer.js';
import { readMigration, SHARED_VERSION } from '../../../src/store/postgres/PostgresDatabase.js';
import { openPostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { openDatabase } from '../../postgres/openDatabase.js';
import { dropStore } from './freshStore.js';

const QUEUES = readFileSync(new URL('queuesOfVersion1.sql', import.meta.url), 'utf8');
const MIGRATIONS = new URL('../../../src/store/postgres/migrations/', import.meta.url);

/** The rights that an invitation to version 1 gave, and what waits: of kim, of a fleet, and a conversation for the fleet. */
const INVITED = `
GRANT USAGE ON SCHEMA huddle TO kim, gpu_box;
GRANT SELECT ON ALL TABLES IN SCHEMA huddle TO kim, gpu_box;
INSERT INTO huddle.conversation (id, created_by, tally) VALUES ('talk', 'kim', '{}');
INSERT INTO huddle.turn (conversation, id, member, worker_role, asked_by, request, is_watched)
SELECT number, turn, 'sarah', 'gpu_box', 'kim', '{}', true
FROM huddle.conversation, unnest('{of-a-fleet,of-kim}'::text[]) AS turn;
INSERT INTO huddle_jobs.job (name, data, priority, policy)
SELECT 'turns/gpu_box', jsonb_build_object('id', number::text), CASE id WHEN 'of-kim' THEN 10 ELSE 0 END, 'standard'
FROM huddle.turn;
INSERT INTO huddle.fleet (conversation, worker_role, asked_by, request, said) VALUES ('asked', 'gpu_box', 'kim', '{}', '{}')`;

test('a version has a file that makes it of the one before', () => {
  const names = Array.from({ length: SHARED_VERSION }, (_, index) => `000${index + 1}.sql`);
  expect(readdirSync(MIGRATIONS).sort()).toEqual(names);
});

describePostgres('a store of version 1', (server) => {
  beforeEach(async () => {
    await dropStore(server());
    for (const role of ['kim', 'gpu_box', 'bob']) await server().createRole(role);
    await server().admin(readMigration(1));
    await server().admin(QUEUES);
    await server().admin(INVITED);
  });

  test('is not used before its owner has upgraded it, and the command for that is named', async () => {
    const older = expect.objectContaining({
      code: 'STORE_NOT_SET_UP',
      message: expect.stringContaining('huddle store upgrade'),
    });
    for (const attempt of [
      () => checkSharedStore(server().url()),
      () => openPostgresStore({ url: server().url('kim') }),
      () => inviteRole(server().url(), 'bob'),
    ])
      await expect(attempt()).rejects.toThrow(older);
    expect(await server().admin('SELECT version FROM huddle.store')).toEqual([{ version: 1 }]);
  });

  test('keeps its members, its workers and what waits for them; people still come first', async () => {
    expect(await upgradeSharedStore(server().url())).toEqual({ from: 1, to: SHARED_VERSION });
    expect((await checkSharedStore(server().url('kim'))).members).toEqual(['gpu_box', 'kim']);
    const store = await openPostgresStore({ url: server().url('gpu_box') });
    onTestFinished(() => store.close());
    const process = await store.presence.arrive();
    const claim = async (inHand: readonly number[]) => {
      const [row] = await store.database.query<{ number: number; turn: string }>(
        'SELECT number, turn FROM huddle.claim_turn($1, $2, $3)',
        [process, inHand, '[{"member":"sarah"}]'],
      );
      return row;
    };
    const first = await claim([]);
    const second = await claim([Number(first?.number)]);
    expect([first?.turn, second?.turn]).toEqual(['of-kim', 'of-a-fleet']);
    expect(
      await store.database.query('SELECT conversation FROM huddle.claim_fleet($1, $2)', [process, []]),
    ).toEqual([{ conversation: 'asked' }]);
    expect(await server().admin('SELECT role FROM huddle.worker')).toEqual([{ role: 'gpu_box' }]);
    expect(await server().admin("SELECT to_regnamespace('huddle_jobs') AS queues")).toEqual([
      { queues: null },
    ]);
  });

  test('stays as it is when something is in the way, and is upgraded when that is gone', async () => {
    await server().admin('CREATE TABLE huddle.worker ()');
    await expect(upgradeSharedStore(server().url())).rejects.toThrow('already exists');
    expect(await server().admin('SELECT version FROM huddle.store')).toEqual([{ version: 1 }]);
    expect(await server().admin('SELECT count(*)::int FROM huddle_jobs.job')).toEqual([{ count: 2 }]);
    await server().admin('DROP TABLE huddle.worker');
    expect(await upgradeSharedStore(server().url())).toEqual({ from: 1, to: SHARED_VERSION });
    expect(await upgradeSharedStore(server().url())).toEqual({ from: SHARED_VERSION, to: SHARED_VERSION });
  });

  test('is upgraded once by two owners at the same time', async () => {
    const both = await Promise.all([upgradeSharedStore(server().url()), upgradeSharedStore(server().url())]);
    expect(both.map(({ to }) => to)).toEqual([SHARED_VERSION, SHARED_VERSION]);
    const { query } = await openDatabase(server().url());
    expect(await query('SELECT version FROM huddle.store')).toEqual([{ version: SHARED_VERSION }]);
  });
});
