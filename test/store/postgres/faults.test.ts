import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedEvent } from '../../../src/models/ConversationEvent.js';
import { PostgresDatabase } from '../../../src/store/postgres/PostgresDatabase.js';
import { PostgresListener } from '../../../src/store/postgres/PostgresListener.js';
import { openPostgresStore, type PostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import type { PresenceNews } from '../../../src/store/postgres/SharedStore.js';
import type { ConversationLog } from '../../../src/store/Store.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { isFull } from '../../soak/isFull.js';
import { ID, message, start } from '../facts.js';
import { makeFreshStore, useFreshStore } from './freshStore.js';
import { SilentWire } from './SilentWire.js';

const CUTS = isFull ? 50 : 6;
const RESTARTS = isFull ? 10 : 1;

describePostgres('a database that is cut off', (server) => {
  useFreshStore(server, 'kailai', 'bob');

  test(`loses and doubles nothing when connections break ${CUTS} times while facts are appended`, async () => {
    const { store, log } = await openLog(server().url('kailai'));
    const appended: RecordedEvent[] = log.append([start(ID, 'bob')]);
    const writing = appendUntil(log, appended, async () => {
      for (let cut = 0; cut < CUTS; cut++) {
        await wait(5 + ((cut * 17) % 40));
        expect(await server().cut('kailai')).toBeGreaterThanOrEqual(0);
      }
    });
    await writing;
    expect(await toArray((await store.read(ID)).read())).toEqual(appended);
  });

  test(`is sent the same batch again when ${CUTS} answers got lost`, async () => {
    const wire = await openWire(server().url('kailai'));
    const { store, log } = await openLog(wire.url);
    const appended: RecordedEvent[] = log.append([start(ID, 'bob')]);
    await log.kept();
    for (let lost = 0; lost < CUTS; lost++) {
      wire.loseAnswers(1);
      appended.push(...log.append([message(appended.length), message(appended.length + 1)]));
      await log.kept();
    }
    expect(await toArray((await store.read(ID)).read())).toEqual(appended);
  });

  test('rejects what could not be kept for longer than it is patient, and everything after it', async () => {
    const wire = await openWire(server().url('kailai'));
    const { log } = await openLog(wire.url, { patience: 300 });
    log.append([start(ID, 'bob')]);
    await log.kept();
    await wire.close();
    const event = log.append([message(1)]);
    expect(event).toMatchObject([{ seq: 2 }]);
    const refused = expect.objectContaining({ code: 'STORE_OUT_OF_REACH' });
    await expect(log.kept()).rejects.toThrow(refused);
    await expect(log.kept()).rejects.toThrow(refused);
    expect(() => log.append([message(2)])).toThrow(refused);
    const other = await open(server().url('kailai'));
    expect(await toArray((await other.read(ID)).read())).toHaveLength(1);
  });

  test('is asked once more by a process that was stopped for longer than it is patient', async () => {
    const wire = await openWire(server().url('kailai'));
    const { log } = await openLog(wire.url, { patience: 100 });
    log.append([start(ID, 'bob')]);
    await log.kept();
    wire.loseAnswers(1);
    log.append([message(1)]);
    // The batch is on its way, and then nothing runs here, as if the process had been stopped.
    for (let ticks = 0; ticks < 5; ticks++) await Promise.resolve();
    for (const until = performance.now() + 300; performance.now() < until; );
    await log.kept();
    expect(await toArray(log.read())).toHaveLength(2);
  });

  test('may forget statements between two of them, as a proxy does that shares connections', async () => {
    const { store, log } = await openLog(server().url('kailai'));
    const appended: RecordedEvent[] = log.append([start(ID, 'bob')]);
    await log.kept();
    for (let number = 1; number <= 3; number++) {
      // There is one connection yet.
      await store.database.query('DEALLOCATE ALL');
      appended.push(...log.append([message(number)]));
      await log.kept();
    }
    expect(await toArray((await store.read(ID)).read())).toEqual(appended);
  });

  test('tells how long it is silent, that others may take over, and that it is back', async () => {
    const wire = await openWire(server().url('kailai'));
    const leaseTimes = { lease: 900, renewEvery: 200, stopAfter: 600 };
    const { store, log } = await openLog(wire.url, { leaseTimes, patience: 60_000 });
    log.append([start(ID, 'bob')]);
    await log.kept();
    const news: PresenceNews[] = [];
    const hears = (kind: PresenceNews['kind']) =>
      new Promise<void>((resolve) => {
        const stop = store.presence.subscribe((each) => {
          if (each.kind !== kind) return;
          stop();
          resolve();
        });
      });
    store.presence.subscribe((each) => news.push(each));
    wire.fallSilent();
    log.append([message(1)]);
    await hears('expired');
    const told = news.flatMap((each) => (each.kind === 'silent' ? [each.milliseconds] : []));
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((one, other) => one - other));
    expect(news.filter(({ kind }) => kind === 'back')).toEqual([]);
    wire.speakAgain();
    await Promise.all([hears('back'), log.kept()]);
    expect(news.filter(({ kind }) => kind === 'expired')).toHaveLength(1);
    expect(await toArray(log.read())).toHaveLength(2);
  });

  test('is left to the one who took over meanwhile, with nothing of what came too late', async () => {
    const wire = await openWire(server().url('kailai'));
    const leaseTimes = { lease: 500, renewEvery: 100, stopAfter: 300 };
    const { log } = await openLog(wire.url, { leaseTimes, patience: 60_000 });
    log.append([start(ID, 'bob')]);
    await log.kept();
    wire.fallSilent();
    log.append([message(1, 'too late')]);
    const bob = await open(server().url('bob'));
    await expect.poll(() => bob.open(ID).catch(() => null), { timeout: 20_000 }).not.toBeNull();
    wire.speakAgain();
    await expect(log.kept()).rejects.toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
    expect(await toArray((await bob.read(ID)).read())).toHaveLength(1);
  });

  test('is noticed by those who listen, though nothing tells them', async () => {
    const wire = await openWire(server().url('bob'));
    const database = new PostgresDatabase(wire.url);
    const habits = { crowd: 40, pollEvery: 1000, lookEvery: 100, answerWithin: 200 };
    const listener = new PostgresListener(database, {}, habits);
    onTestFinished(async () => {
      await listener.close();
      await database.close();
    });
    const heard: (string | undefined)[] = [];
    listener.listen('huddle_x', (payload) => heard.push(payload));
    await expect.poll(() => heard).toEqual([undefined]);
    // The old connection stays as silent as a line that was cut far away; new ones work.
    wire.fallSilent();
    wire.letOthersPass();
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([undefined, undefined]);
    await server().admin("SELECT pg_notify('huddle_x', 'news')");
    await expect.poll(() => heard).toEqual([undefined, undefined, 'news']);
  });

  test('is told news again on a new connection, and that some may have been missed', async () => {
    const { store, log } = await openLog(server().url('kailai'));
    const [{ channel = '' } = {}] = await store.database.query<{ channel: string }>(
      'SELECT channel FROM huddle.conversation',
    );
    const bob = await open(server().url('bob'));
    const heard: (string | undefined)[] = [];
    bob.listener.listen(channel, (payload) => heard.push(payload));
    await expect.poll(() => heard).toEqual([undefined]);
    log.append([start(ID, 'bob')]);
    await expect.poll(() => heard).toEqual([undefined, '1']);
    await server().cut('bob');
    await expect.poll(() => heard).toEqual([undefined, '1', undefined]);
    log.append([message(1)]);
    await expect.poll(() => heard).toEqual([undefined, '1', undefined, '2']);
  });
});

describePostgres(
  'a database that is restarted',
  (server) => {
    test(`loses and doubles nothing, ${RESTARTS} times`, async () => {
      await makeFreshStore(server(), 'kailai');
      const { store, log } = await openLog(server().url('kailai'));
      const appended: RecordedEvent[] = log.append([start(ID, 'bob')]);
      await appendUntil(log, appended, async () => {
        for (let restart = 0; restart < RESTARTS; restart++) {
          await wait(50);
          await server().restart();
        }
      });
      expect(await toArray((await store.read(ID)).read())).toEqual(appended);
    });
  },
  { alone: true },
);

describe('no database', () => {
  test('is told at once, in words', async () => {
    const opening = openPostgresStore({ url: 'postgres://kim@127.0.0.1:1/huddle' });
    await expect(opening).rejects.toThrow(
      expect.objectContaining({
        code: 'STORE_OUT_OF_REACH',
        message: expect.stringMatching(/127\.0\.0\.1\/huddle is out of reach: connect ECONNREFUSED/),
      }),
    );
  });
});

/** Appends one to three facts after the other until the work is done, and waits until all are kept. */
async function appendUntil(
  log: ConversationLog,
  appended: RecordedEvent[],
  work: () => Promise<void>,
): Promise<void> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  for (let round = 0; !isDone; round++) {
    const facts = Array.from({ length: 1 + (round % 3) }, (_, index) => message(appended.length + index));
    appended.push(...log.append(facts));
    if (round % 5 === 0) await log.kept();
    else await wait(1);
  }
  await working;
  await log.kept();
}

type Options = Partial<Parameters<typeof openPostgresStore>[0]>;

async function open(url: string, options: Options = {}): Promise<PostgresStore> {
  const store = await openPostgresStore({ url, ...options });
  onTestFinished(() => store.close());
  return store;
}

async function openLog(
  url: string,
  options?: Options,
): Promise<{ store: PostgresStore; log: ConversationLog }> {
  const store = await open(url, options);
  return { store, log: await store.create(ID) };
}

async function openWire(url: string): Promise<SilentWire> {
  const wire = await SilentWire.to(url);
  onTestFinished(() => wire.close().catch(() => undefined));
  return wire;
}
