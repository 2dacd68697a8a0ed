import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src/models/ConversationEvent.js';
import { loadSqlite } from '../../../src/store/sqlite/loadSqlite.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { ID, message, start } from '../facts.js';

const LONG = 'A "long" text, 中文 😀\n'.repeat(40_000);
const FIRST_PIECE = 2 ** 31;

function makeStore(options: { readonly maxPages?: number } = {}) {
  const file = `${makeTemporaryFolder()}/conversations.db`;
  return { file, store: new SqliteStore({ file, ...options }) };
}

function execute(file: string, sql: string): void {
  const database = new (loadSqlite().DatabaseSync)(file);
  database.exec(sql);
  database.close();
}

test('an event with fields that look like the marks of long texts comes back as it is', async () => {
  const looks = fc.constantFrom('longTexts', 'event', 'type', '__proto__');
  const fields = fc.dictionary(looks, fc.oneof(fc.jsonValue(), fc.constant({ a: [FIRST_PIECE] })));
  await fc.assert(
    fc.asyncProperty(fc.array(fields, { minLength: 1 }), async (extras) => {
      const { store } = makeStore();
      const events = extras.map(
        (extra, index) =>
          JSON.parse(JSON.stringify({ ...extra, ...start(), v: 1, seq: index + 1, at: 1 })) as RecordedEvent,
      );
      await (await store.create(ID)).restore(events);
      expect(JSON.stringify(await toArray((await store.read(ID)).read()))).toBe(JSON.stringify(events));
      await store.close();
    }),
    { numRuns: 50 },
  );
});

describe('a long text that was prepared', () => {
  test('is kept as any other, whatever is in it', async () => {
    const unit = fc.string({ unit: 'binary', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(unit, unit, async (one, other) => {
        const { store } = makeStore();
        const log = await store.create(ID);
        const texts = [one.repeat(70_000), `${other}${'😀'.repeat(300_000)}\ud83d`];
        await Promise.all(texts.map((text) => log.prepareText?.(text)));
        const facts = [...texts, one, ...texts].map((text, index) => message(index + 1, text));
        const events = log.append([start(), ...facts]);
        expect(JSON.stringify(await toArray((await store.read(ID)).read())) === JSON.stringify(events)).toBe(
          true,
        );
        await store.close();
      }),
      { numRuns: 10 },
    );
  });

  test('takes no more than its length in the file, and its event next to nothing', async () => {
    const { file, store } = makeStore();
    const log = await store.create(ID);
    await log.prepareText?.(LONG);
    log.append([start(), message(1, LONG)]);
    const database = new (loadSqlite().DatabaseSync)(file);
    const sizes = `SELECT max(CASE WHEN place % 4294967296 < ${FIRST_PIECE} THEN length(body) END) AS event,
      sum(length(body)) AS sum FROM event`;
    const { event, sum } = database.prepare(sizes).get() ?? {};
    database.close();
    expect(event).toBeLessThan(1000);
    expect(sum).toBeLessThan(JSON.stringify(LONG).length + 2000);
  });

  test('is found to be damaged with its event, which hides none of the others', async () => {
    for (const damage of [
      `DELETE FROM event WHERE place % 4294967296 = ${FIRST_PIECE + 1}`,
      `UPDATE event SET body = replace(body, 'long', 'lung') WHERE place % 4294967296 = ${FIRST_PIECE}`,
    ]) {
      const { file, store } = makeStore();
      const log = await store.create(ID);
      await log.prepareText?.(LONG);
      log.append([start(), message(1, LONG), message(2)]);
      execute(file, damage);
      await expect(toArray((await store.read(ID)).read())).rejects.toThrow(
        expect.objectContaining({ code: 'STORE_DAMAGED', intactEvents: 1 }),
      );
      expect(await toArray((await store.read(ID)).read(3))).toMatchObject([message(2)]);
    }
  });

  test('and never came into an event is in none, keeps no room from the next, and is deleted with the rest', async () => {
    const { file, store } = makeStore();
    const first = await store.create(ID);
    first.append([start()]);
    await first.prepareText?.(`lost ${LONG}`);
    await first.close();
    const log = await store.open(ID);
    await log.prepareText?.(LONG);
    log.append([message(1, LONG)]);
    expect(await toArray((await store.read(ID)).read())).toMatchObject([start(), message(1, LONG)]);
    await log.close();
    await store.delete(ID);
    await store.close();
    execute(
      file,
      'CREATE TEMP TABLE empty (rows INTEGER CHECK (rows = 0)); INSERT INTO empty SELECT count(*) FROM event',
    );
  });

  test('and cannot be written ahead is left to its event, and nothing is kept of either', async () => {
    const { store } = makeStore({ maxPages: 60 });
    const log = await store.create(ID);
    log.append([start()]);
    await log.prepareText?.(LONG);
    expect(() => log.append([message(1, LONG)])).toThrow(expect.objectContaining({ code: 'STORE_WRITE' }));
    expect(await toArray(log.read())).toMatchObject([start()]);
  });

  test('is not written by somebody whose lease was taken over', async () => {
    const { store } = makeStore();
    const old = await store.create(ID);
    old.append([start()]);
    const log = await store.open(ID, { takeOver: true });
    await log.prepareText?.(LONG);
    await old.prepareText?.(`stale ${LONG}`);
    log.append([message(1, LONG)]);
    expect(await toArray(log.read())).toMatchObject([start(), message(1, LONG)]);
    expect(() => old.append([message(1, `stale ${LONG}`)])).toThrow(
      expect.objectContaining({ code: 'LEASE_LOST' }),
    );
  });
});
