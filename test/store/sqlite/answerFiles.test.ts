import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { ConversationId, TurnId } from '../../../src/models/ids.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';

const ELSEWHERE = ['../../x', '..', '.', '', '/x', 'WIKI', 'x'.repeat(300), '\ud800'];

function stage() {
  const folder = makeTemporaryFolder();
  const store = new SqliteStore({ file: join(folder, 'data', 'conversations.sqlite') });
  return { folder, store, answers: join(folder, 'data', 'answers') };
}

test.each(ELSEWHERE)(
  'an answer stays in its folder whatever its conversation and turn are called: %j',
  async (name) => {
    const { store, folder, answers } = stage();
    const id = name as ConversationId;
    const log = await store.create(id);
    const file = (await log.saveAnswer?.(name as TurnId, 'whole')) ?? '';
    expect(relative(answers, file)).toMatch(/^[0-9a-f]{64}\/[0-9a-f]{64}$/u);
    expect(readFileSync(file, 'utf8')).toBe('whole');
    await log.close();
    await store.delete(id);
    expect([readdirSync(answers), readdirSync(folder)]).toEqual([[], ['data']]);
    await store.close();
  },
);

test('a conversation is not deleted through a link, and nothing behind it', async () => {
  const { store, folder, answers } = stage();
  const id = 'wiki' as ConversationId;
  await (await store.create(id)).close();
  mkdirSync(join(folder, 'elsewhere', 'wiki'), { recursive: true });
  symlinkSync(join(folder, 'elsewhere'), answers);
  await expect(store.delete(id)).rejects.toThrow(`${answers} is a link`);
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['wiki']);
  expect((await store.list({ limit: 9 })).summaries.map((summary) => summary.id)).toEqual([id]);
  await store.close();
});

test('a conversation that is called like the hash of another one has no part in its answers', async () => {
  const { store } = stage();
  const log = await store.create('WIKI' as ConversationId);
  const file = (await log.saveAnswer?.('turn-1' as TurnId, 'whole')) ?? '';
  const alike = basename(dirname(file)) as ConversationId;
  await (await store.create(alike)).close();
  await store.delete(alike);
  expect(readFileSync(file, 'utf8')).toBe('whole');
  await log.close();
  await store.close();
});

test('an answer is never written over another', async () => {
  const { store } = stage();
  const log = await store.create('wiki' as ConversationId);
  const file = (await log.saveAnswer?.('turn-1' as TurnId, 'first')) ?? '';
  expect(dirname(file).endsWith('/data/answers/wiki')).toBe(true);
  await expect(log.saveAnswer?.('turn-1' as TurnId, 'second')).rejects.toThrow('EEXIST');
  expect(readFileSync(file, 'utf8')).toBe('first');
  await log.close();
  await store.close();
});
