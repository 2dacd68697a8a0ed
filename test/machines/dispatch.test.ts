import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Dispatch, type Job, openDispatch, PRIORITIES } from '../../src/machines/dispatch.js';
import { admitToJobs, createJobsSchema, dismissFromJobs, nameQueue } from '../../src/store/postgres/jobs.js';
import type { SharedDatabase } from '../../src/store/postgres/SharedStore.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { openDatabase } from '../postgres/openDatabase.js';

const QUEUE = nameQueue('turns', 'gpu_box');

describePostgres('the tables of the jobs', (server) => {
  test('are made in the transaction of the caller', async () => {
    const { transaction } = await openDatabase(server().url());
    const made = transaction(async (query) => {
      await query(createJobsSchema());
      throw new Error('no');
    });
    await expect(made).rejects.toThrow('no');
    expect(await server().admin("SELECT nspname FROM pg_namespace WHERE nspname = 'huddle_jobs'")).toEqual(
      [],
    );
  });
});

describePostgres('work is handed out between machines', (server) => {
  beforeAll(async () => {
    await server().admin(createJobsSchema());
    for (const role of ['kim', 'gpu_box', 'ci']) {
      await server().createRole(role);
      await admitToJobs((text, values) => server().admin(text, values), role, { worker: role !== 'kim' });
    }
  });

  beforeEach(() => server().admin('DELETE FROM huddle_jobs.job'));

  async function open(role: string): Promise<{ database: SharedDatabase; dispatch: Dispatch }> {
    const database = await openDatabase(server().url(role));
    const dispatch = await openDispatch(database);
    onTestFinished(() => dispatch.close());
    return { database, dispatch };
  }

  const ask = async ({ database, dispatch }: Awaited<ReturnType<typeof open>>, ...ids: readonly string[]) => {
    for (const id of ids)
      await database.transaction((query) => dispatch.ask(query, QUEUE, id, { priority: PRIORITIES.people }));
  };
  const ids = (jobs: readonly Job[]) => jobs.map(({ id }) => id);

  test('what is asked in a transaction is there when it is, and not before', async () => {
    const kim = await open('kim');
    const worker = await open('gpu_box');
    await kim.database.transaction(async (query) => {
      await kim.dispatch.ask(query, QUEUE, 'turn-1', { priority: PRIORITIES.people });
      expect(await worker.dispatch.fetch(QUEUE, 1)).toEqual([]);
    });
    await expect(
      kim.database.transaction(async (query) => {
        await kim.dispatch.ask(query, QUEUE, 'turn-2', { priority: PRIORITIES.people });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(ids(await worker.dispatch.fetch(QUEUE, 4))).toEqual(['turn-1']);
  });

  test('more transactions than there are connections ask at once without waiting for each other', async () => {
    const kim = await open('kim');
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(kim, `turn-${index}`)));
    expect(await (await open('gpu_box')).dispatch.fetch(QUEUE, 40)).toHaveLength(20);
  });

  test('people come before fleets, and each in the order in which they asked', async () => {
    const kim = await open('kim');
    const worker = await open('gpu_box');
    for (const [id, priority] of [
      ['fleet-1', PRIORITIES.fleets],
      ['fleet-2', PRIORITIES.fleets],
      ['kim-1', PRIORITIES.people],
      ['kim-2', PRIORITIES.people],
    ] as const)
      await kim.database.transaction((query) => kim.dispatch.ask(query, QUEUE, id, { priority }));
    expect(ids(await worker.dispatch.fetch(QUEUE, 3)).sort()).toEqual(['fleet-1', 'kim-1', 'kim-2']);
    expect(ids(await worker.dispatch.fetch(QUEUE, 3))).toEqual(['fleet-2']);
  });

  test('a job is in one place at a time, and is gone when it is complete', async () => {
    const kim = await open('kim');
    const [one, other] = [await open('gpu_box'), await open('gpu_box')];
    await ask(kim, ...Array.from({ length: 40 }, (_, index) => `turn-${index}`));
    const both = await Promise.all([one.dispatch.fetch(QUEUE, 25), other.dispatch.fetch(QUEUE, 25)]);
    const jobs = both.flat();
    expect(new Set(ids(jobs)).size).toBe(40);
    expect(jobs).toHaveLength(40);
    for (const job of jobs) await one.dispatch.complete(job);
    expect(await one.dispatch.fetch(QUEUE, 25)).toEqual([]);
  });

  test('what is put back comes again in a second, and keeps its place', async () => {
    const kim = await open('kim');
    const worker = await open('gpu_box');
    await ask(kim, 'turn-1', 'turn-2');
    const [first] = await worker.dispatch.fetch(QUEUE, 1);
    await worker.dispatch.putBack(first as Job);
    const [second] = await worker.dispatch.fetch(QUEUE, 2);
    expect(second?.id).toBe('turn-2');
    await worker.dispatch.putBack(second as Job);
    await server().admin("UPDATE huddle_jobs.job SET start_after = now() - interval '1 second'");
    expect(ids(await worker.dispatch.fetch(QUEUE, 1))).toEqual(['turn-1']);
  });

  test('what is put back for longer comes again after that time, and not before', async () => {
    const kim = await open('kim');
    const worker = await open('gpu_box');
    await ask(kim, 'turn-1');
    const [job] = await worker.dispatch.fetch(QUEUE, 1);
    await worker.dispatch.putBack(job as Job, 5);
    const later =
      'SELECT round(extract(epoch FROM start_after - now()))::int AS seconds FROM huddle_jobs.job';
    expect(await server().admin(later)).toEqual([{ seconds: 5 }]);
    await server().admin("UPDATE huddle_jobs.job SET start_after = start_after - interval '3 s'");
    expect(await worker.dispatch.fetch(QUEUE, 1)).toEqual([]);
    await server().admin("UPDATE huddle_jobs.job SET start_after = start_after - interval '2 s'");
    expect(ids(await worker.dispatch.fetch(QUEUE, 1))).toEqual(['turn-1']);
  });

  test('a job of a worker that does not touch it any more comes again; a touched one does not', async () => {
    const kim = await open('kim');
    const gone = await open('gpu_box');
    await ask(kim, 'turn-1', 'turn-2');
    const jobs = await gone.dispatch.fetch(QUEUE, 2);
    await server().admin("UPDATE huddle_jobs.job SET heartbeat_on = now() - interval '21 seconds'");
    await gone.dispatch.touch(jobs.filter(({ id }) => id === 'turn-2'));
    await server().admin('UPDATE huddle_jobs.queue SET monitor_claim_on = NULL');
    const next = await open('gpu_box');
    expect(await next.dispatch.fetch(QUEUE, 2)).toEqual([]);
    await server().admin(
      "UPDATE huddle_jobs.job SET start_after = now() - interval '1 second' WHERE state = 'retry'",
    );
    expect(ids(await next.dispatch.fetch(QUEUE, 2))).toEqual(['turn-1']);
  });

  test.each([
    ['takes what is for another role', `UPDATE huddle_jobs.job_common SET state = 'active' RETURNING id`],
    ['removes it', 'DELETE FROM huddle_jobs.job_common RETURNING id'],
    [
      'looks away from it',
      `UPDATE huddle_jobs.queue SET monitor_claim_on = 'infinity' WHERE name LIKE '%gpu_box' RETURNING name`,
    ],
  ])('a role that %s changes nothing', async (_, statement) => {
    await ask(await open('kim'), 'turn-1');
    const { database } = await openOther('ci');
    expect(await database.query(statement)).toEqual([]);
    const member = await openOther('kim');
    await expect(member.database.query(statement)).rejects.toThrow('permission denied');
  });

  test.each([
    `UPDATE huddle_jobs.queue SET retry_limit = 0`,
    `DELETE FROM huddle_jobs.queue`,
    `INSERT INTO huddle_jobs.job_common (name, state) VALUES ('turns/gpu_box', 'active')`,
    `INSERT INTO huddle_jobs.job (name) VALUES ('turns/gpu_box')`,
    `SELECT huddle_jobs.create_queue('turns/x', '{"policy":"standard"}')`,
    `SELECT huddle_jobs.delete_queue('turns/gpu_box')`,
    `UPDATE huddle_jobs.version SET version = 99`,
    `TRUNCATE huddle_jobs.job_common`,
  ])('a worker may not %s', async (statement) => {
    const { database } = await openOther('ci');
    await expect(database.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  const openOther = async (role: string) => ({ database: await openDatabase(server().url(role)) });

  test('a role whose name is no name of a queue cannot be a worker', async () => {
    const admitted = admitToJobs((text, values) => server().admin(text, values), 'ana maria', {
      worker: true,
    });
    await expect(admitted).rejects.toMatchObject({ code: 'WORKER_NAME' });
  });

  test('a role that was dismissed has no queue and no rights', async () => {
    const kim = await open('kim');
    await server().createRole('old_box');
    const admin = (text: string, values?: readonly unknown[]) => server().admin(text, values);
    await admitToJobs(admin as never, 'old_box', { worker: true });
    await dismissFromJobs(admin as never, 'old_box');
    await expect(
      kim.database.transaction((query) =>
        kim.dispatch.ask(query, nameQueue('turns', 'old_box'), 'turn-1', { priority: PRIORITIES.people }),
      ),
    ).rejects.toMatchObject({ code: 'UNKNOWN_WORKER', facts: { role: 'old_box' } });
    const { database } = await openOther('old_box');
    await expect(database.query('SELECT * FROM huddle_jobs.queue')).rejects.toThrow('permission denied');
  });
});
