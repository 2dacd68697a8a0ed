import { describe, expect, test } from 'vitest';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import { playRecording } from '../playRecording.js';

const play = (name: string) => playRecording('codex', codexDialect, name);
const read = (...records: unknown[]) => {
  const reader = codexDialect.createReader({});
  return records.flatMap((record) => reader.read(record));
};

describe('the whole event list of a recording', () => {
  test('the error that ends the turn is its failure, and said once', () => {
    const message = 'We’re currently experiencing high demand, which may cause temporary errors.';
    const retry = (attempt: number) => ({ type: 'retry', message, attempt, maxAttempts: 5 });
    const played = play('err-500');
    expect(played.events).toEqual([
      { type: 'session', sessionId: '01a1dcb5-c244-70c1-86df-1a9eb7fd5c51', holdsPrompt: true },
      ...[1, 2, 3, 4, 5].map(retry),
    ]);
    expect(played.failure).toMatchObject({ code: 'AGENT_ERROR', reason: 'outage', detail: message });
  });

  test('warnings do not stop a turn', () => {
    const warning = {
      type: 'error',
      message:
        'Codex is ignoring 1 unrecognized configuration setting. Check for typos or deprecated settings.\n' +
        '  session-flags: `experimental_instructions_file` is ignored.',
    };
    const usage = { inputTokens: 100, cachedInputTokens: 30, outputTokens: 42 };
    expect(play('sys-experimental_instructions_file').events).toEqual([
      warning,
      warning,
      { type: 'session', sessionId: '01a1dcb4-45ab-7961-8bcb-f3630c273106', holdsPrompt: true },
      { type: 'text', text: 'Hello from the fake model.' },
      { type: 'usage', usage, sessionTotals: usage },
    ]);
  });

  test('a command is a tool', () => {
    const usage = { inputTokens: 200, cachedInputTokens: 60, outputTokens: 84 };
    expect(play('tool-default').events).toEqual([
      { type: 'session', sessionId: '01a1dcb4-08cd-7a10-93d7-f6b36d9a8ca2', holdsPrompt: true },
      { type: 'text', text: 'I will use a tool.' },
      {
        type: 'tool-start',
        toolId: 'item_1',
        name: 'command',
        input: "/bin/bash -lc 'echo hi'",
        kind: 'execute',
      },
      { type: 'tool-end', toolId: 'item_1', name: 'command', ok: true, result: 'hi' },
      { type: 'text', text: 'The tool ran; all done.' },
      { type: 'usage', usage, sessionTotals: usage },
    ]);
  });
});

test('an error that nothing repeats is said, also when nothing follows it', () => {
  const error = (message: string) => ({ type: 'error', message });
  const reader = codexDialect.createReader({});
  expect(reader.read(error('one'))).toEqual([]);
  expect(reader.read(error('two'))).toEqual([error('one')]);
  expect(reader.end?.()).toEqual([error('two')]);
  expect(read(error('one'), { type: 'turn.failed', error: { message: 'two' } })).toEqual([error('one')]);
});

test('a turn that reconnected and then answered is complete', () => {
  const played = play('openai-CODEX_API_KEY');
  expect(played.outcome).toBe('completed');
  expect(played.events.filter((event) => event.type === 'retry')).toHaveLength(4);
});

test('a retry says the status when the service refused the key', () => {
  expect(play('err-401').events[1]).toMatchObject({ type: 'retry', status: 401, attempt: 1, maxAttempts: 5 });
});

test('a context that is too long is said in a sentence, not in JSON', () => {
  expect(play('err-overflow').failure).toEqual({
    code: 'AGENT_ERROR',
    reason: 'prompt-too-long',
    detail: 'Your input exceeds the context window of this model.',
  });
});

test('usage is of this turn, though Codex counts over the whole thread', () => {
  let sessionTotals: ReturnType<typeof play>['sessionTotals'];
  const turns = ['session-1', 'session-2-resume', 'session-3-resume-last', 'session-4-resume-sandbox-before'];
  const outputs = turns.map((name) => {
    const played = playRecording('codex', codexDialect, name, sessionTotals);
    sessionTotals = played.sessionTotals;
    return [played.usage?.inputTokens, played.usage?.cachedInputTokens, played.usage?.outputTokens];
  });
  // The last of them makes two requests.
  expect(outputs).toEqual([
    [100, 30, 42],
    [100, 30, 42],
    [100, 30, 42],
    [200, 60, 84],
  ]);
});

test('items that were never recorded: files, lists, searches, other servers, thoughts', () => {
  const item = (kind: string, item: object) => ({ type: `item.${kind}`, item: { id: 'item_1', ...item } });
  expect(
    read(
      item('completed', { type: 'reasoning', text: 'Hm.' }),
      item('completed', {
        type: 'file_change',
        status: 'completed',
        changes: [{ path: 'a.ts', kind: 'add' }],
      }),
      item('updated', { type: 'todo_list', items: [{ text: 'write', completed: true }] }),
      item('started', { type: 'mcp_tool_call', server: 'docs', tool: 'find', arguments: { query: 'x' } }),
      item('completed', { type: 'mcp_tool_call', server: 'docs', tool: 'find', error: { message: 'no' } }),
      item('completed', { type: 'hologram' }),
    ),
  ).toEqual([
    { type: 'thinking', text: 'Hm.' },
    { type: 'file-change', path: 'a.ts', change: 'add' },
    { type: 'todo-list', items: [{ text: 'write', done: true }] },
    { type: 'tool-start', toolId: 'item_1', name: 'docs.find', input: 'x', kind: 'other' },
    { type: 'tool-end', toolId: 'item_1', name: 'docs.find', ok: false, result: 'no' },
    { type: 'raw', record: { id: 'item_1', type: 'hologram' } },
  ]);
});

test('a command that comes only as completed is shown with its beginning', () => {
  const item = { id: 'item_1', type: 'command_execution', command: 'false', exit_code: 1, status: 'failed' };
  expect(read({ type: 'item.completed', item })).toEqual([
    { type: 'tool-start', toolId: 'item_1', name: 'command', input: 'false', kind: 'execute' },
    { type: 'tool-end', toolId: 'item_1', name: 'command', ok: false, result: '' },
  ]);
});

test('a thread in which no turn was begun is told when the output is over', () => {
  const reader = codexDialect.createReader({});
  expect(reader.read({ type: 'thread.started', thread_id: 't-1' })).toEqual([]);
  expect(reader.end?.()).toEqual([{ type: 'session', sessionId: 't-1' }]);
});
