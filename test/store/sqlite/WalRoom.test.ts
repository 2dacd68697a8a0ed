import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { WalRoom } from '../../../src/store/sqlite/WalRoom.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { ID, message, start } from '../facts.js';

const ROOM = 4 * 1024 * 1024;

test('a conversation that goes on gets room in the WAL, in which nothing is lost when the process ends', async () => {
  const file = join(makeTemporaryFolder(), 'conversations.db');
  const walBytes = () => statSync(`${file}-wal`).size;
  const log = await open(file).create(ID);
  log.append([start()]);
  for (let number = 1; number <= 100; number++) {
    log.append([message(number)]);
    if (number === 50) await expect.poll(walBytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(ROOM);
  }
  expect(walBytes()).toBeLessThan(ROOM * 1.1);
  const events = await toArray(log.read());
  const left = join(makeTemporaryFolder(), 'conversations.db');
  for (const companion of ['', '-wal']) copyFileSync(file + companion, left + companion);
  expect(await toArray((await open(left).read(ID)).read())).toEqual(events);
});

test('a conversation of a few appends gets none', async () => {
  const file = join(makeTemporaryFolder(), 'conversations.db');
  const store = new SqliteStore({ file });
  const log = await store.create(ID);
  for (let number = 0; number < 10; number++) log.append([number === 0 ? start() : message(number)]);
  await log.close();
  expect(statSync(`${file}-wal`).size).toBeLessThan(256 * 1024);
  await store.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test('room is made in no WAL that is gone', async () => {
  const file = join(makeTemporaryFolder(), 'conversations.db');
  const room = new WalRoom(file);
  for (let append = 0; append < 100; append++) room.noteAppend();
  await room.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

function open(file: string): SqliteStore {
  const store = new SqliteStore({ file });
  onTestFinished(() => store.close());
  return store;
}
