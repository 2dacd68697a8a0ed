import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type OfferedMember, TurnTable } from '../../../src/machines/TurnTable.js';
import type { ConversationId } from '../../../src/models/ids.js';
import { inviteRole, removeRole, upgradeSharedStore } from '../../../src/store/postgres/administer.js';
import { readMigration, SHARED_VERSION } from '../../../src/store/postgres/PostgresDatabase.js';
import { openPostgresStore, type PostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import type { ConversationLog } from '../../../src/store/Store.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { start } from '../facts.js';
import { dropStore, makeFreshStore } from './freshStore.js';

const [TALK, FREE] = ['talk', 'free'] as ConversationId[] as [ConversationId, ConversationId];
const WORKERS = ['gpu_box', 'mean_box'];
const SARAH: OfferedMember = { member: 'sarah', account: 'acme', at_once: 6, is_busy: false };

describePostgres('a role that stays in an open transaction', (server) => {
  let kim: PostgresStore;
  let log: ConversationLog;

  beforeEach(async () => {
    await makeFreshStore(server(), 'kim', 'bob', ...WORKERS);
    for (const role of WORKERS) await inviteRole(server().url(), role, { worker: true });
    kim = await open('kim');
    await (await kim.create(FREE)).close();
    log = await kim.create(TALK);
    log.append([start()]);
    await log.kept();
  });

  async function open(role: string): Promise<PostgresStore> {
    const store = await openPostgresStore({ url: server().url(role), host: role });
    onTestFinished(() => store.close());
    return store;
  }

  /** A session of a role that is in a transaction from now on, and what it says there. */
  async function stay(role: string, ...statements: readonly string[]): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: server().url(role) });
    await client.connect();
    client.on('error', () => undefined);
    onTestFinished(() => client.end());
    await client.query(`BEGIN; ${statements.join('; ')}`);
    return client;
  }

  async function ask(id: string, runsOn: string): Promise<number> {
    const address = { conversationId: TALK, turnId: id, memberId: 'sarah', runsOn };
    const { number } = await new TurnTable(kim).ask(address as never, '{}', {
      isWatched: false,
      isUrgent: true,
    });
    return number;
  }

  /** The process of a worker by hand. */
  const arriveAs = async (role: string) => (await open(role)).presence.arrive();
  const claimBy = (process: string, { account, at_once }: OfferedMember = SARAH) =>
    `SELECT huddle.claim_turn('${process}', '{}', '[{"member":"sarah","account":"${account}","at_once":${at_once}}]')`;

  test('on an account keeps no other worker from it, but for the one place', async () => {
    for (const id of ['mean-1', 'mean-2']) await ask(id, 'mean_box');
    for (const id of ['turn-1', 'turn-2', 'turn-3']) await ask(id, 'gpu_box');
    await stay('mean_box', claimBy(await arriveAs('mean_box'), { ...SARAH, at_once: 1 }));
    const table = new TurnTable(await open('gpu_box'));
    const inHand: number[] = [];
    const claim = async (atOnce: number) => {
      const turn = await table.claim(inHand, [{ ...SARAH, at_once: atOnce }]);
      if (turn !== null) inHand.push(turn.number);
      return turn?.turn;
    };
    expect([await claim(3), await claim(3), await claim(3)]).toEqual(['turn-1', 'turn-2', undefined]);
  });

  test('has one place of one account and no more', async () => {
    for (const id of ['mean-1', 'mean-2']) await ask(id, 'mean_box');
    const claim = claimBy(await arriveAs('mean_box'));
    await expect(stay('mean_box', claim, claim)).rejects.toMatchObject({ code: '25001' });
  });

  test('on a turn that it has just claimed keeps nobody from taking the turn back', async () => {
    const number = await ask('turn-1', 'mean_box');
    await stay('mean_box', claimBy(await arriveAs('mean_box')));
    const table = new TurnTable(kim);
    expect(await table.withdraw(TALK, number)).toBe('withdrawn');
    expect(await table.look(number, 0)).toMatchObject({ state: 'withdrawn', reported: 0 });
    log.append([start()], { reports: { turnId: 'turn-1', upTo: 1 } as never });
    await log.kept();
  });

  test('on a turn that it reports keeps nobody from what was reported before, and from the end of it', async () => {
    const number = await ask('turn-1', 'mean_box');
    const box = await open('mean_box');
    const table = new TurnTable(kim);
    await new TurnTable(box).claim([], [SARAH]);
    await new TurnTable(box).report(number, { first: 1, bodies: ['{}'], isEnd: false });
    const said = `huddle.report_turn(${number}, '${await box.presence.arrive()}', 2, ARRAY['{}'], true)`;
    const staying = await stay('mean_box', `SELECT ${said}`);
    log.append([start()], { reports: { turnId: 'turn-1', upTo: 1 } as never });
    await log.kept();
    expect(await table.withdraw(TALK, number)).toBe('withdrawn');
    await staying.query('COMMIT');
    // What came too late counts no more.
    expect(await table.look(number, 1)).toMatchObject({ state: 'withdrawn', reported: 1, reports: [] });
    log.append([start()], { reports: { turnId: 'turn-1', upTo: 2 } as never });
    await log.kept();
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  });

  test('on a turn that is over leaves its row behind, which the next turn removes', async () => {
    const number = await ask('turn-1', 'mean_box');
    const box = await open('mean_box');
    await new TurnTable(box).claim([], [SARAH]);
    const staying = await stay(
      'mean_box',
      `SELECT huddle.report_turn(${number}, '${await box.presence.arrive()}', 1, ARRAY['{}'], false)`,
    );
    await new TurnTable(kim).withdraw(TALK, number);
    log.append([start()], { reports: { turnId: 'turn-1', upTo: 1 } as never });
    await log.kept();
    await staying.query('ROLLBACK');
    expect(await server().admin('SELECT id FROM huddle.turn')).toEqual([{ id: 'turn-1' }]);
    await ask('turn-2', 'gpu_box');
    expect(await server().admin('SELECT id FROM huddle.turn')).toEqual([{ id: 'turn-2' }]);
  });

  test('on a conversation that nobody holds is named to who wants it, and is in the way of no other', async () => {
    const process = await arriveAs('bob');
    const staying = await stay(
      'bob',
      `SELECT huddle.hold_conversation('free', '${process}', false, false, NULL)`,
    );
    const heldUp = expect.objectContaining({
      code: 'STORE_OUT_OF_REACH',
      message: expect.stringMatching(/^bob has locked .* Nothing was changed\. Try again/u),
    });
    await expect(kim.open(FREE)).rejects.toThrow(heldUp);
    await expect(kim.delete(FREE)).rejects.toThrow(heldUp);
    log.append([start()]);
    await log.kept();
    await staying.query('ROLLBACK');
    await (await kim.open(FREE)).close();
  });

  test('with a visit to a conversation keeps it from being deleted only, which is refused soon', async () => {
    await stay('bob', "SELECT huddle.visit_conversation('free', NULL)");
    await (await kim.open(FREE)).close();
    await expect(kim.delete(FREE)).rejects.toMatchObject({
      code: 'STORE_OUT_OF_REACH',
      facts: { heldUpBy: '' },
    });
  });

  test('with its process, its presence, a wish and every table read keeps nobody from anything', async () => {
    const process = await arriveAs('bob');
    const key = 'gen_random_uuid()';
    const number = '(SELECT number FROM huddle.conversation WHERE id = $$talk$$)';
    await stay(
      'bob',
      'LOCK TABLE huddle.conversation, huddle.event, huddle.turn, huddle.wish IN ACCESS SHARE MODE',
      `SELECT huddle.renew('${process}', 15000), huddle.offer('${process}', '{}')`,
      `SELECT huddle.attend(${number}, '${process}', ${key})`,
      `SELECT huddle.ask_wish(${number}, '${process}', ${key}, ${key}, 'say', '{}')`,
    );
    const other = await open('kim');
    await (await other.create('new' as ConversationId)).close();
    log.append([start()]);
    await log.kept();
    await ask('turn-1', 'gpu_box');
    expect(await new TurnTable(await open('gpu_box')).claim([], [SARAH])).toMatchObject({ turn: 'turn-1' });
  });

  test.each(['attendance', 'account_limit'])(
    'on the %s of a process of long ago lets others come in',
    async (table) => {
      const box = await open('mean_box');
      const process = await box.presence.arrive();
      const attend = `SELECT huddle.attend(number, '${process}', gen_random_uuid()) FROM huddle.conversation WHERE id = 'talk'`;
      await ask('turn-1', 'mean_box');
      const said = table === 'attendance' ? attend : claimBy(process);
      await server().admin(
        table === 'attendance'
          ? `INSERT INTO huddle.attendance SELECT number, '${process}', gen_random_uuid() FROM huddle.conversation WHERE id = 'talk'`
          : `INSERT INTO huddle.account_limit VALUES ('acme', '${process}', 1)`,
      );
      const staying = await stay('mean_box', said);
      await server().admin("UPDATE huddle.process SET expires = now() - interval '8 days' WHERE id = $1", [
        process,
      ]);
      await arriveAs('gpu_box');
      await staying.query('ROLLBACK');
      await arriveAs('gpu_box');
      expect(await server().admin('SELECT FROM huddle.process WHERE id = $1', [process])).toEqual([]);
    },
  );

  test('that makes the next partition keeps nobody from conversations', async () => {
    await server().admin("SELECT setval(pg_get_serial_sequence('huddle.conversation', 'number'), 499999)");
    const process = await arriveAs('bob');
    await stay('bob', `SELECT huddle.create_conversation('ahead', '${process}', '{}', NULL)`);
    const made = await kim.create('new' as ConversationId);
    made.append([start()]);
    await made.kept();
  });

  test('is removed all the same', async () => {
    const process = await arriveAs('bob');
    await stay('bob', `SELECT huddle.renew('${process}', 15000)`);
    await removeRole(server().url(), 'bob');
    await expect(openPostgresStore({ url: server().url('bob') })).rejects.toThrow('permission denied');
  });

  test('is ended after a minute of silence, unless it says otherwise for its session', async () => {
    const show = 'SHOW idle_in_transaction_session_timeout';
    const settingOf = async (role: string) => {
      const client = await stay(role, 'SELECT');
      return (await client.query(show)).rows;
    };
    expect(await settingOf('bob')).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
    await dropStore(server());
    await server().admin(readMigration(1));
    await server().admin(
      'ALTER ROLE bob IN DATABASE current RESET ALL'.replace('current', await databaseName()),
    );
    await server().admin('GRANT USAGE ON SCHEMA huddle TO bob');
    expect(await settingOf('bob')).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
    expect(await upgradeSharedStore(server().url())).toEqual({ from: 1, to: SHARED_VERSION });
    expect(await settingOf('bob')).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
  });

  test('reading a store of before keeps it from being upgraded, which is refused soon, with everything as it was', async () => {
    await dropStore(server());
    await server().admin(readMigration(1));
    await server().admin('GRANT USAGE ON SCHEMA huddle TO bob; GRANT SELECT ON huddle.turn TO bob');
    const staying = await stay('bob', 'SELECT FROM huddle.turn');
    await expect(upgradeSharedStore(server().url())).rejects.toMatchObject({ code: 'STORE_OUT_OF_REACH' });
    await staying.query('ROLLBACK');
    expect(await upgradeSharedStore(server().url())).toEqual({ from: 1, to: SHARED_VERSION });
  });

  test('waits no longer in any function than others would', async () => {
    const functions = await server().admin<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'huddle'::regnamespace AND prosecdef
       AND NOT coalesce(proconfig @> '{lock_timeout=2s}', false)`,
    );
    expect(functions).toEqual([]);
  });

  async function databaseName(): Promise<string> {
    const [row] = await server().admin<{ name: string }>('SELECT quote_ident(current_database()) AS name');
    return String(row?.name);
  }
});
