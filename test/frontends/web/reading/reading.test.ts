import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Reading } from '../../../../src/frontends/web/reading/ReadingThread.js';
import type { ConversationId } from '../../../../src/models/ids.js';
import type { Store } from '../../../../src/store/Store.js';
import { EXPORT_WRITERS } from '../../../../src/transcript/exportFormats.js';
import { toArray } from '../../../../src/utils/AnyIterable.js';
import { agentNamed, startWith, teamOf } from '../../../store/stage.js';
import { talkWithEverything } from '../../../transcript/talk.js';
import { call, openDesk } from './readingDesk.js';

test('a turn is explained with the turns around it, and its very bytes have the hash that was recorded', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const why = await reading.handlers().why(call({ id, turn: 'turn-3' }, undefined));
  expect(why).toMatchObject({
    turnId: 'turn-3',
    memberName: 'max',
    isExact: true,
    previous: 'turn-2',
    since: 'turn-1',
    hasSystemPrompt: true,
    plan: { messages: [{ first: 'msg-1' }, expect.anything()] },
  });
  expect(why.next).toBeUndefined();
  const [prompt, system] = [await promptOf(reading, id, 'prompt'), await promptOf(reading, id, 'system')];
  expect(prompt.type).toBe('text/plain; charset=utf-8');
  const hash = createHash('sha256').update(system.text).update('\0').update(prompt.text).digest('hex');
  expect(hash).toBe(why.sent.sha256);
  expect(prompt.text).toContain('And now you again, \u202emax.');
});

test('agents are shown as they were set up last, with the model that they reported', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const { agents } = await reading.handlers().members(call({ id }, undefined));
  expect(agents).toMatchObject([
    { memberId: 'max', memory: 'window', window: 20, permission: 'read', model: 'opus-real' },
    { memberId: 'sarah', model: 'opus-real' },
  ]);
});

test('what is new since the turn of the same member before is a difference of lines', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const { text } = await promptOf(reading, id, 'new');
  expect(text).toMatch(/^@@ -\d+,\d+ \+\d+,\d+ @@\n/u);
  expect(text).toMatch(/^\+.*And now you again/mu);
  expect(text).toContain('\n-Design the login.\n');
  expect(text).toContain('\n+- sarah -> all: Restore it.\n');
});

test('what is unknown has the code of the command line', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const { why, prompt, changes, cost } = reading.handlers();
  await expect(why(call({ id, turn: 'turn-9' }, undefined))).rejects.toMatchObject({
    code: 'UNKNOWN_TURN',
    facts: { turnId: 'turn-9' },
  });
  await expect(prompt(call({ id, turn: 'x' }, { part: 'new' }))).rejects.toMatchObject({
    code: 'UNKNOWN_TURN',
  });
  await expect(changes(call({ id }, { turn: 'turn-9' }))).rejects.toMatchObject({ code: 'UNKNOWN_TURN' });
  await expect(cost(call({ id: '../x' }, { bins: 60 }))).rejects.toMatchObject({
    code: 'UNKNOWN_CONVERSATION',
    facts: { id: '../x' },
  });
});

test('where nothing was ever saved, every conversation is unknown and no file is made', async () => {
  const { reading } = openDesk({ data: { file: '/nonexistent/conversations.sqlite' } });
  await expect(reading.handlers().cost(call({ id: 'x' }, { bins: 1 }))).rejects.toMatchObject({
    code: 'UNKNOWN_CONVERSATION',
  });
});

test('the cost is added up by member and put into bins', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const { usage, bins } = await reading.handlers().cost(call({ id }, { bins: 2 }));
  expect(usage.total).toMatchObject({ turns: 3, inputTokens: 30, usd: 0.75 });
  expect(usage.members.map(({ memberId, turns }) => [memberId, turns])).toEqual([
    ['max', 2],
    ['sarah', 1],
  ]);
  expect(bins).toEqual([
    {
      from: 'turn-1',
      to: 'turn-2',
      members: [
        { memberId: 'max', usd: 0.25, tokens: 15 },
        { memberId: 'sarah', usd: 0.25, tokens: 15 },
      ],
    },
    { from: 'turn-3', to: 'turn-3', members: [{ memberId: 'max', usd: 0.25, tokens: 15 }] },
  ]);
});

test('a text is found in what messages show, in capitals or not, and not in markers that acted', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const search = async (text: string) => (await reading.handlers().search(call({ id }, { text }))).hits;
  expect(await search('LOGIN')).toMatchObject([
    { messageId: 'msg-1', memberName: 'kailai', excerpt: { match: 'login' } },
  ]);
  expect(await search('ﬁle')).toMatchObject([
    { excerpt: { before: 'A ', match: 'ﬁle', after: ' is gone.' } },
  ]);
  expect(await search('file')).toHaveLength(1);
  expect(await search('next: sarah')).toEqual([]);
});

test('every export is that of the command line, as a file with a safe name', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const reader = await store.read(id);
  for (const format of ['md', 'html', 'json', 'jsonl'] as const) {
    const { text, fileName } = await reading.handlers().export(call({ id }, { format }));
    expect(text).toBe((await toArray(EXPORT_WRITERS[format](() => reader.read()))).join(''));
    expect(fileName).toBe(`huddle-${id}.${format}`);
  }
});

test('an export is in the language that it is asked for in, and the next one in its own', async () => {
  const { store, reading } = openDesk();
  const id = await holdThreeTurns(store);
  const exportIn = async (language: 'en' | 'zh-CN') =>
    (await reading.handlers().export(call({ id }, { format: 'html', language }))).text;
  expect(await exportIn('zh-CN')).toContain('<html lang="zh-CN">');
  expect(await exportIn('en')).toContain('<html lang="en">');
});

test('a conversation that is only in memory is read from its events', async () => {
  const events = await talkWithEverything();
  const { reading } = openDesk({ eventsOf: async (id) => (id === 'demo/1' ? events : undefined) });
  const { cost, why, export: exportAs } = reading.handlers();
  expect((await cost(call({ id: 'demo/1' }, { bins: 60 }))).usage.total.usd).toBe(0.0123);
  expect((await why(call({ id: 'demo/1', turn: 'turn-1' }, undefined))).isExact).toBe(true);
  expect((await exportAs(call({ id: 'demo/1' }, { format: 'jsonl' }))).fileName).toBe('huddle-demo_1.jsonl');
  await expect(cost(call({ id: 'demo/2' }, { bins: 60 }))).rejects.toMatchObject({
    code: 'UNKNOWN_CONVERSATION',
  });
});

function promptOf(reading: Reading, id: string, part: 'prompt' | 'system' | 'new') {
  return reading.handlers().prompt(call({ id, turn: 'turn-3' }, { part }));
}

/** Holds a real conversation: max, sarah, and max again. */
async function holdThreeTurns(store: Store): Promise<ConversationId> {
  const answers = ['A ﬁle is gone. [NEXT: sarah]', 'Restore it.', 'Done.'];
  const team = teamOf([agentNamed('max'), agentNamed('sarah')]);
  const conversation = await startWith(store, team, async function* () {
    const text = answers.shift() ?? '';
    yield { type: 'session', sessionId: 's', model: 'opus-real' };
    yield { type: 'text', text };
    yield { type: 'usage', usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, usd: 0.25 } };
    yield { type: 'end', outcome: { kind: 'completed', text } };
  });
  await conversation.send('[NEXT: max] Design the login.');
  await conversation.settled();
  await conversation.send('[NEXT: max] And now you again, \u202emax.');
  await conversation.settled();
  await conversation.close();
  return conversation.id;
}
