import { expect, onTestFinished, test } from 'vitest';
import { ReadingThread, type ThreadSource } from '../../../../src/frontends/web/reading/ReadingThread.js';

/** The answer of the thread in `unruly.cjs`. */
interface Said {
  readonly threadId: number;
  readonly text: string;
}

test('a thread answers one question after the other', async () => {
  const { ask } = startUnruly();
  const answers = await Promise.all(['a', 'b', 'c'].map(ask));
  expect(answers.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1);
});

test.each(['die', 'throw'])(
  'when the thread stops in a question (%s), only that one is lost',
  async (stop) => {
    const { ask } = startUnruly();
    const [first, lost, next] = await Promise.allSettled([ask('a'), ask(stop), ask('b')]);
    expect(lost).toMatchObject({ reason: { code: 'READING_STOPPED', facts: { why: 'died' } } });
    expect([first, next]).toMatchObject([{ value: { text: 'a' } }, { value: { text: 'b' } }]);
  },
);

test('a question that is never answered is given up, and the next one gets another thread', async () => {
  const { ask } = startUnruly({ answerMilliseconds: 3000 });
  const { threadId } = await ask('a');
  await expect(ask('hang')).rejects.toMatchObject({ code: 'READING_STOPPED', facts: { why: 'slow' } });
  expect((await ask('b')).threadId).not.toBe(threadId);
});

test('a thread that is not asked ends, and the next question starts another', async () => {
  const { ask } = startUnruly({ idleMilliseconds: 0 });
  const { threadId } = await ask('a');
  await expect.poll(async () => (await ask('b')).threadId).not.toBe(threadId);
});

test('after closing nothing waits: neither the question it had, nor those behind it, nor later ones', async () => {
  const { thread, ask } = startUnruly();
  await ask('a');
  const asked = Promise.allSettled([ask('hang'), ask('b')]);
  await thread.close();
  const closed = { reason: { code: 'READING_STOPPED', facts: { why: 'closed' } } };
  expect(await asked).toMatchObject([closed, closed]);
  await expect(ask('c')).rejects.toMatchObject(closed.reason);
});

test('a module that is not there fails its questions', async () => {
  const { ask } = startUnruly({ module: new URL('./absent.cjs', import.meta.url) });
  await expect(ask('a')).rejects.toMatchObject({ code: 'READING_STOPPED' });
  await expect(ask('b')).rejects.toMatchObject({ code: 'READING_STOPPED' });
});

function startUnruly(more: Partial<ThreadSource> = {}) {
  const module = new URL('./unruly.cjs', import.meta.url);
  const thread = new ReadingThread({ module, data: undefined, ...more });
  onTestFinished(() => thread.close());
  const ask = async (text: string) =>
    (await thread.ask({
      name: 'search',
      conversationId: 'x',
      language: 'en',
      about: { text },
    })) as unknown as Said;
  return { thread, ask };
}
