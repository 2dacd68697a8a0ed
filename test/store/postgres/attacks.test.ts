import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { inviteRole } from '../../../src/store/postgres/administer.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import type { TestPostgres } from '../../postgres/TestPostgres.js';
import { type Scene, STORE_ATTACKS } from './attacks.js';
import { makeFreshStore } from './freshStore.js';
import { TURN_ATTACKS } from './turnAttacks.js';
import { WISH_ATTACKS } from './wishAttacks.js';

describePostgres('attacks on a shared store with plain SQL', (server) => {
  let scene: Scene;

  beforeAll(async () => {
    await server().createRole('eve');
    await makeFreshStore(server(), 'kim', 'mallory', 'lea');
    for (const role of ['mallory', 'lea']) await inviteRole(server().url(), role, { worker: true });
    scene = await setScene(server());
  });

  test('are enough', () => expect(STORE_ATTACKS.length).toBeGreaterThan(22));

  test.each([...STORE_ATTACKS, ...WISH_ATTACKS, ...TURN_ATTACKS])(
    '$by cannot $what',
    async ({ by, sql, refusal }) => {
      const before = await readAll(server());
      await expect(runAs(server().url(by), sql(scene))).resolves.toBe(refusal);
      expect(await readAll(server())).toEqual(before);
    },
  );

  test('a transaction that a member leaves open keeps the holder waiting for nothing', async () => {
    const { held, mallory, kim, fence } = scene;
    const client = new pg.Client({ connectionString: server().url('mallory') });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`BEGIN; SELECT huddle.attend(${held}, '${mallory}', gen_random_uuid());
      SELECT huddle.ask_wish(${held}, '${mallory}', gen_random_uuid(), gen_random_uuid(), 'say', '{}');
      SELECT huddle.visit_conversation('held', NULL)`);
    const refusal = await runAs(
      server().url('kim'),
      `SET lock_timeout = '2s';
       SELECT huddle.append(${held}, '${kim}', ${fence}, 3, '{}', '{}', (SELECT min(number) FROM huddle.wish), NULL, NULL);
       SELECT huddle.renew('${kim}', 15000)`,
    );
    await client.query('ROLLBACK');
    expect(refusal).toBeNull();
  });
});

/** Runs statements as a role, all of them in one transaction that would count. Gives the code of the refusal; null when there is none. */
async function runAs(url: string, sql: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.end();
  }
}

/** Every row of the store as text, and who may do what with it. */
async function readAll(server: TestPostgres): Promise<Readonly<Record<string, string>>> {
  const tables = await server.admin<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'huddle'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await server.admin<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS text FROM ${name} t`,
    );
    contents[name] = row?.text ?? '';
  }
  const [rights] = await server.admin<{ text: string }>(
    `SELECT string_agg(t::text, E'\\n' ORDER BY t::text) AS text FROM (
       SELECT oid::regclass::text AS name, relacl::text, relowner::regrole::text, relhastriggers FROM pg_class
       WHERE relnamespace = 'huddle'::regnamespace
       UNION ALL SELECT oid::regprocedure::text, proacl::text, md5(prosrc) || proconfig::text, prosecdef FROM pg_proc
       WHERE pronamespace = 'huddle'::regnamespace
       UNION ALL SELECT 'huddle', nspacl::text, nspowner::regrole::text, false FROM pg_namespace WHERE nspname = 'huddle'
     ) AS t`,
  );
  return { ...contents, rights: rights?.text ?? '' };
}

/** Two conversations of kim, one held by a process that lives, and one that mallory holds. */
async function setScene(server: TestPostgres): Promise<Scene> {
  const [kim, mallory] = [await arrive(server.url('kim')), await arrive(server.url('mallory'))];
  await create(server.url('kim'), 'held', kim, 2);
  await create(server.url('kim'), 'free', kim, 0);
  await create(server.url('mallory'), 'own', mallory, 1);
  await ask(
    server.url('kim'),
    `SELECT huddle.release_conversation(number, '${kim}', fence) FROM huddle.conversation WHERE id = 'free'`,
  );
  // Nobody renews them, and nothing may change while attacks are tried.
  await server.admin("UPDATE huddle.process SET expires = now() + interval '1 hour'");
  const [row] = await server.admin<{ number: string; fence: string }>(
    "SELECT number, fence FROM huddle.conversation WHERE id = 'held'",
  );
  const lea = await followAsLea(server, Number(row?.number));
  await askLea(server, kim, lea);
  await ask(
    server.url('mallory'),
    `SELECT huddle.ask_turn('own', '${mallory}', 'own-turn', 'sarah', 'mallory', '{}', true, true)`,
  );
  await ask(server.url('mallory'), `SELECT huddle.claim_turn('${mallory}', '{}', '[{"member":"sarah"}]')`);
  return { held: Number(row?.number), fence: Number(row?.fence), kim, mallory, lea };
}

/** Kim asks workers of lea for two turns, and lea's process runs one of them. */
async function askLea(server: TestPostgres, kim: string, lea: string): Promise<void> {
  for (const turn of ['turn-2', 'turn-1']) {
    await ask(
      server.url('kim'),
      `SELECT huddle.ask_turn('held', '${kim}', '${turn}', 'sarah', 'lea', '{}', true, true)`,
    );
    if (turn === 'turn-2')
      await ask(server.url('lea'), `SELECT huddle.claim_turn('${lea}', '{}', '[{"member":"sarah"}]')`);
  }
}

/** Lea follows a conversation and asks for something there. */
async function followAsLea(server: TestPostgres, conversation: number): Promise<string> {
  const lea = await arrive(server.url('lea'));
  await ask(server.url('lea'), `SELECT huddle.attend(${conversation}, '${lea}', gen_random_uuid())`);
  await ask(
    server.url('lea'),
    `SELECT huddle.ask_wish(${conversation}, '${lea}', gen_random_uuid(), gen_random_uuid(), 'say', '{"content":"Hello"}')`,
  );
  return lea;
}

async function arrive(url: string): Promise<string> {
  return String((await ask(url, "SELECT huddle.arrive('host', 1, 'v', 15000) AS id"))?.id);
}

async function create(url: string, id: string, process: string, events: number): Promise<void> {
  await ask(url, `SELECT huddle.create_conversation('${id}', '${process}', '{}', NULL)`);
  for (let seq = 1; seq <= events; seq++)
    await ask(
      url,
      `SELECT huddle.append(number, '${process}', fence, ${seq}, '{"type":"message-added"}', '{}', NULL, NULL, NULL)
       FROM huddle.conversation WHERE id = '${id}'`,
    );
}

async function ask(url: string, sql: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}
