import { expect, test } from 'vitest';
import type { ConversationFact } from '../../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../../src/models/ids.js';
import { MemoryStore } from '../../../src/store/memory/MemoryStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';

const id = 'one' as ConversationId;
const task = (text: string): ConversationFact => ({ type: 'task-changed', task: text });

test('facts are numbered from 1 without gaps, dated by the clock, and read back in order', async () => {
  let now = 100;
  const log = await new MemoryStore(() => now).create(id);
  expect(log.append([task('a'), task('b')])).toEqual([
    { v: 1, seq: 1, at: 100, ...task('a') },
    { v: 1, seq: 2, at: 100, ...task('b') },
  ]);
  now = 50;
  log.append([task('c')]);
  await log.close();
  expect(() => log.append([task('d')])).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
  expect((await toArray(log.read())).map(({ seq, at }) => [seq, at])).toEqual([
    [1, 100],
    [2, 100],
    [3, 50],
  ]);
});

test('each conversation has a log of its own, and what was read does not change any more', async () => {
  const store = new MemoryStore();
  const [one, two] = [await store.create(id), await store.create('two' as ConversationId)];
  one.append([task('a')]);
  const read = one.read();
  one.append([task('b')]);
  expect(await toArray(read)).toHaveLength(1);
  expect(await toArray(two.read())).toEqual([]);
});

test('an append of very many facts is kept whole', async () => {
  const log = await new MemoryStore().create(id);
  expect(log.append(Array.from({ length: 200_000 }, () => task('a'))).at(-1)?.seq).toBe(200_000);
});
