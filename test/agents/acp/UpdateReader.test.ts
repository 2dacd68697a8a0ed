import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUsage, UpdateReader } from '../../../src/agents/acp/UpdateReader.js';
import type { TurnEvent } from '../../../src/agents/dialect/Dialect.js';
import { AnswerText } from '../../../src/agents/process/AnswerText.js';

/** All that comes of these updates, and of the end of the turn. */
function read(...updates: readonly unknown[]): TurnEvent[] {
  const reader = new UpdateReader();
  const answer = new AnswerText();
  const events = [...updates.flatMap((update) => reader.read(update)), ...reader.end()];
  return events.map((event) => answer.add(event));
}

const chunk = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId && { messageId }),
});
const call = (parts: object) => ({ sessionUpdate: 'tool_call', toolCallId: 't', ...parts });
const change = (parts: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...parts });

describe('text', () => {
  test('is one block until a tool or another message begins', () => {
    const events = read(
      chunk('One ', 'a'),
      chunk('two', 'a'),
      chunk('Three', 'b'),
      call({ title: 'x', status: 'in_progress' }),
      chunk('Four', 'b'),
    );
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
      'One two',
      'Three',
      'Four',
    ]);
  });

  test('that is too long is cut, and the mark says by how much', () => {
    const megabyte = chunk('x'.repeat(1024 * 1024));
    const reader = new UpdateReader();
    const answer = new AnswerText();
    for (let count = 0; count < 70; count += 1) for (const event of reader.read(megabyte)) answer.add(event);
    for (const event of reader.end()) answer.add(event);
    expect(answer.text).toMatch(
      /x\n\n\[… 6291456 bytes cut here and not saved: the answer is too long\]\n\nx/u,
    );
  });

  test('that is no text says nothing', () => {
    expect(read(chunk(''), { ...chunk('x'), content: { type: 'image', data: 'x' } })).toEqual([]);
  });

  test('of thoughts is not part of the answer', () => {
    expect(read({ ...chunk('Hm.'), sessionUpdate: 'agent_thought_chunk' })).toEqual([
      { type: 'thinking', text: 'Hm.' },
    ]);
  });
});

describe('a tool', () => {
  test('is shown when it is known what it is about, and once', () => {
    expect(
      read(
        call({ name: 'Bash', title: 'Terminal', status: 'pending', rawInput: {} }),
        change({ title: 'npm test', rawInput: { command: 'npm test' } }),
        change({ status: 'in_progress' }),
        change({ status: 'completed', rawOutput: '3 passed' }),
        change({ status: 'completed', rawOutput: 'again' }),
      ),
    ).toEqual([
      { type: 'tool-start', toolId: 't', name: 'Bash', input: 'npm test', kind: 'other' },
      { type: 'tool-end', toolId: 't', name: 'Bash', ok: true, result: '3 passed' },
    ]);
  });

  test('that only says how it ended has a beginning all the same', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'not there' } }];
    expect(read(change({ kind: 'read', title: 'a.txt', status: 'failed', content }))).toEqual([
      { type: 'tool-start', toolId: 't', name: 'read', input: 'a.txt', kind: 'read' },
      { type: 'tool-end', toolId: 't', name: 'read', ok: false, result: 'not there' },
    ]);
  });

  test.each([
    [{ content: [{ type: 'diff', path: '/p/a', oldText: null, newText: 'x' }] }, 'add'],
    [{ content: [{ type: 'diff', path: '/p/a', oldText: 'w', newText: 'x' }] }, 'update'],
    [{ kind: 'delete', locations: [{ path: '/p/a' }] }, 'delete'],
    [{ kind: 'edit', locations: [{ path: '/p/a' }] }, 'update'],
  ])('that changed a file says so when it is done: %j', (parts, kind) => {
    expect(read(call({ ...parts, status: 'in_progress' })).map(({ type }) => type)).toEqual([
      'tool-start',
      'tool-detail',
    ]);
    expect(read(call({ ...parts, status: 'completed' }))).toContainEqual({
      type: 'file-change',
      path: '/p/a',
      change: kind,
    });
    expect(read(call({ ...parts, status: 'failed' })).map(({ type }) => type)).toEqual([
      'tool-start',
      'tool-detail',
      'tool-end',
    ]);
  });
});

test('a changed file has its whole name, however long and odd: it is compared with the files that changed', () => {
  const path = `/copies/${'deep/'.repeat(60)}two  spaces.ts`;
  const content = [{ type: 'diff', path, oldText: null, newText: 'x' }];
  expect(read(call({ content, status: 'completed' }))).toContainEqual({
    type: 'file-change',
    path,
    change: 'add',
  });
});

test.each(['plan', 'plan_update'])('a %s is a list of what is to be done', (sessionUpdate) => {
  const entries = [
    { content: 'Look', status: 'completed' },
    { content: 'Build', status: 'pending' },
  ];
  expect(read({ sessionUpdate, entries, plan: { entries } })).toEqual([
    {
      type: 'todo-list',
      items: [
        { text: 'Look', done: true },
        { text: 'Build', done: false },
      ],
    },
  ]);
});

test('a notice is said', () => {
  expect(read({ sessionUpdate: 'notice', severity: 'warning', title: 'Slow', description: 'very' })).toEqual([
    { type: 'error', message: 'Slow: very' },
  ]);
});

test('the cost of a session is remembered, in dollars only, and nothing is not a price', () => {
  const usage = (amount: number, currency: string) => ({
    sessionUpdate: 'usage_update',
    cost: { amount, currency },
  });
  const reader = new UpdateReader();
  for (const update of [usage(0.5, 'USD'), usage(9, 'EUR'), usage(0, 'USD')]) reader.read(update);
  expect(reader.sessionUsd).toBe(0.5);
});

describe('usage that comes with a piece of the answer', () => {
  const used = (usage: unknown) => ({ ...chunk(''), _meta: { usage, durationMs: 5 } });
  const asked = {
    inputTokens: 100,
    outputTokens: 42,
    totalTokens: 142,
    thoughtTokens: 0,
    cachedReadTokens: 30,
  };

  test('is of one request to the model, so the requests of a turn are added up', () => {
    expect(read(used(asked), call({ title: 'x', status: 'in_progress' }), used(asked))).toMatchObject([
      { type: 'usage', usage: { inputTokens: 100, cachedInputTokens: 30, outputTokens: 42 } },
      { type: 'tool-start' },
      { type: 'usage', usage: { inputTokens: 200, cachedInputTokens: 60, outputTokens: 84 } },
    ]);
  });

  test('counts where the answer to the prompt says nothing, with the cost of the session', () => {
    const reader = new UpdateReader();
    reader.read(used(asked));
    reader.read({ sessionUpdate: 'usage_update', cost: { amount: 0.5, currency: 'USD' } });
    const before = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, usd: 0.2 };
    expect(readUsage({ stopReason: 'end_turn' }, reader, before)).toEqual({
      type: 'usage',
      usage: { inputTokens: 100, cachedInputTokens: 30, outputTokens: 42, usd: 0.3 },
      sessionTotals: { inputTokens: 101, cachedInputTokens: 30, outputTokens: 43, usd: 0.5 },
    });
    const answer = { usage: { inputTokens: 7, outputTokens: 1, totalTokens: 8 } };
    expect(readUsage(answer, reader, before)).toMatchObject({ usage: { inputTokens: 7 } });
  });
});

test('an update that is not known is kept, and none makes the reader fail', () => {
  expect(read({ sessionUpdate: 'from_the_future' })).toEqual([
    { type: 'raw', record: { sessionUpdate: 'from_the_future' } },
  ]);
  const kinds = fc.constantFrom(
    'agent_message_chunk',
    'tool_call',
    'tool_call_update',
    'plan',
    'usage_update',
    'notice',
  );
  const update = fc.record({
    sessionUpdate: kinds,
    toolCallId: fc.anything(),
    content: fc.anything(),
    locations: fc.anything(),
    rawInput: fc.anything(),
    status: fc.anything(),
    entries: fc.anything(),
    cost: fc.anything(),
    title: fc.anything(),
  });
  fc.assert(fc.property(fc.array(update), (updates) => void read(...updates)));
});
