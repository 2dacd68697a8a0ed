import { describe, expect, test } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { playRecording } from '../playRecording.js';

const play = (name: string) => playRecording('claude', claudeDialect, name);

function read(...records: unknown[]) {
  const reader = claudeDialect.createReader({});
  return { events: records.flatMap((record) => reader.read(record)), verdict: reader.verdict };
}

describe('the whole event list of a recording', () => {
  test('previews a block by deltas and settles it once', () => {
    const usage = { inputTokens: 150, cachedInputTokens: 30, outputTokens: 42, usd: 0.001346 };
    expect(play('multi-partial').events).toEqual([
      { type: 'session', sessionId: 'af8a413a-a458-4a36-849b-b0f038f02a12', model: 'claude-opus-5-5' },
      { type: 'text-delta', text: 'First ' },
      { type: 'text-delta', text: 'second ' },
      { type: 'text-delta', text: 'third — ünïcode ✓ ' },
      { type: 'text-delta', text: 'line\nbreak ' },
      { type: 'text-delta', text: 'and `code` ' },
      { type: 'text-delta', text: '{"json":true} ' },
      { type: 'text-delta', text: 'end.' },
      { type: 'text', text: 'First second third — ünïcode ✓ line\nbreak and `code` {"json":true} end.' },
      {
        type: 'session',
        sessionId: 'af8a413a-a458-4a36-849b-b0f038f02a12',
        mark: 'e19b0f89-a88f-4b6c-aa70-5e5c2738b7ae',
      },
      { type: 'usage', usage, sessionTotals: usage },
    ]);
  });

  test('shows a tool between two blocks', () => {
    const usage = { inputTokens: 300, cachedInputTokens: 60, outputTokens: 84, usd: 0.002692 };
    expect(play('tool-partial').events).toEqual([
      { type: 'session', sessionId: 'de4180d4-e9d6-487d-9e4f-701ce4eea53d', model: 'claude-opus-5-5' },
      { type: 'text-delta', text: 'I will use a tool.' },
      { type: 'text', text: 'I will use a tool.' },
      { type: 'tool-start', toolId: 'toolu_fake_12_1', name: 'Bash', input: 'echo hi', kind: 'execute' },
      { type: 'tool-end', toolId: 'toolu_fake_12_1', name: 'Bash', ok: true, result: 'hi' },
      { type: 'text-delta', text: 'The tool ran; ' },
      { type: 'text-delta', text: 'all done.' },
      { type: 'text', text: 'The tool ran; all done.' },
      {
        type: 'session',
        sessionId: 'de4180d4-e9d6-487d-9e4f-701ce4eea53d',
        mark: '7398137e-86e9-4ff5-b4c4-0bb1e60c3b69',
      },
      { type: 'usage', usage, sessionTotals: usage },
    ]);
  });

  test('takes back the text of every attempt that was cut', () => {
    const usage = { inputTokens: 600, cachedInputTokens: 120, outputTokens: 45, usd: 0.002924 };
    const delta = { type: 'text-delta', text: 'Hello from the fake model (scenario cut).' };
    expect(play('cut').events).toEqual([
      { type: 'session', sessionId: '8cdf9bc1-b5f2-460e-b18e-0a2af98e85ec', model: 'claude-opus-5-5' },
      delta,
      { type: 'text-reset' },
      { type: 'retry', message: 'unknown', attempt: 1, maxAttempts: 2, waitMilliseconds: 532 },
      delta,
      { type: 'text-reset' },
      { type: 'retry', message: 'unknown', attempt: 2, maxAttempts: 2, waitMilliseconds: 1058 },
      delta,
      { type: 'text-reset' },
      { type: 'text', text: 'Hello from the fake model (scenario cut).' },
      {
        type: 'session',
        sessionId: '8cdf9bc1-b5f2-460e-b18e-0a2af98e85ec',
        mark: '404887a8-f250-4021-bbec-2c2d91e3eaa1',
      },
      { type: 'usage', usage, sessionTotals: usage },
    ]);
  });

  test('says which file was written, and only when it was', () => {
    const changes = (name: string) => play(name).events.filter((event) => event.type === 'file-change');
    expect(changes('write-acceptEdits')).toEqual([
      { type: 'file-change', path: '$CWD/made-by-model.txt', change: 'add' },
    ]);
    expect(changes('write-plan')).toEqual([]);
  });

  test('says with every retry which status the service gave', () => {
    const retries = play('err-401').events.filter((event) => event.type === 'retry');
    expect(retries).toHaveLength(8);
    expect(retries[0]).toMatchObject({ status: 401, attempt: 1, maxAttempts: 10, waitMilliseconds: 537 });
  });
});

test('an API error is not an answer, though its subtype is "success"', () => {
  const played = play('err-500-retries1');
  expect(played.text).toBe('');
  expect(played.failure).toMatchObject({
    code: 'AGENT_ERROR',
    reason: 'outage',
  });
});

test('a refused key says what to do', () => {
  expect(play('err-401-retries0').failure).toEqual({
    code: 'AUTH',
    reason: 'login-needed',
    status: 401,
    detail: 'Failed to authenticate. API Error: 401 fake 401',
  });
});

test('the sentence of an API error is said by the failure, and by nothing else', () => {
  expect(play('err-429-retries0').events.filter((event) => event.type === 'error')).toEqual([]);
});

test('the sentence of an API error is said also when no result repeats it', () => {
  const content = [{ type: 'text', text: 'API Error: 500' }];
  const record = { type: 'assistant', is_api_error_message: true, message: { content } };
  const error = { type: 'error', message: 'API Error: 500' };
  const aborted = { type: 'result', is_error: true, terminal_reason: 'aborted_streaming' };
  expect(read(record, aborted).events).toContainEqual(error);
  const reader = claudeDialect.createReader({});
  expect([...reader.read(record), ...(reader.end?.() ?? [])]).toEqual([error]);
});

test('a prompt that is too long says what to lower', () => {
  expect(play('err-overflow').failure?.reason).toBe('prompt-too-long');
});

test('an unknown session is told apart from other errors', () => {
  const message = 'No conversation found with session ID: 99999999-2222-4333-8444-555555555555';
  const record = { type: 'result', subtype: 'error_during_execution', is_error: true, errors: [message] };
  expect(read(record).verdict).toMatchObject({
    ok: false,
    failure: { code: 'SESSION_UNKNOWN', detail: message },
  });
});

test('a version without the option for resuming counts as a session that cannot be had', () => {
  const stderr = "error: unknown option '--system-prompt-snapshot'\n";
  expect(claudeDialect.explainExit?.({ exitCode: 1, stderr })?.code).toBe('SESSION_UNKNOWN');
});

test('nothing after the final record counts', () => {
  expect(play('two-messages').text).toBe('Hello from the fake model.');
});

test('a recording that was shortened keeps its session, its usage and its verdict', () => {
  const played = play('long-1mb');
  expect(played.outcome).toBe('completed');
  expect(played.text).toMatch(/chars cut by the recorder/);
});

describe('cost', () => {
  const resumed = {
    type: 'result',
    is_error: false,
    result: 'Hi',
    total_cost_usd: 0.002692,
    usage: { input_tokens: 100, cache_read_input_tokens: 30, output_tokens: 42 },
  };
  const before = { inputTokens: 150, cachedInputTokens: 30, outputTokens: 42, usd: 0.001346 };

  test('is of this turn when the version says so itself', () => {
    const { usage, sessionTotals } = playRecording('claude', claudeDialect, 'session-2-resume', before);
    expect(usage?.usd).toBe(0.001346);
    expect(sessionTotals).toEqual({
      inputTokens: 300,
      cachedInputTokens: 60,
      outputTokens: 84,
      usd: 0.002692,
    });
  });

  test('is what the total grew by, where only the total is said', () => {
    const events = claudeDialect.createReader({ sessionTotals: before }).read(resumed);
    expect(events.at(-1)).toMatchObject({ usage: { usd: 0.001346 }, sessionTotals: { usd: 0.002692 } });
  });

  test('is the total when the count has begun again', () => {
    const events = claudeDialect.createReader({ sessionTotals: { ...before, usd: 5 } }).read(resumed);
    expect(events.at(-1)).toMatchObject({ usage: { usd: 0.002692 } });
  });
});

describe('tokens', () => {
  const interrupted = {
    type: 'result',
    is_error: true,
    subtype: 'error_during_execution',
    total_cost_usd: 0.02,
  };
  const zeros = {
    input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: 0,
  };
  const stream = (event: object) => ({ type: 'stream_event', event });
  const started = stream({
    type: 'message_start',
    message: { usage: { input_tokens: 100, cache_read_input_tokens: 30, output_tokens: 1 } },
  });
  const written = stream({ type: 'message_delta', usage: { output_tokens: 42 } });
  const usageIn = (...records: unknown[]) => {
    const reader = claudeDialect.createReader({});
    const events = [...records.flatMap((record) => reader.read(record)), ...(reader.end?.() ?? [])];
    return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
  };

  test('are counted by model where the usage of the run is all zeros', () => {
    const model = {
      inputTokens: 100,
      cacheReadInputTokens: 30,
      cacheCreationInputTokens: 20,
      outputTokens: 5,
    };
    const models = { opus: { ...model, costUSD: 0.01 }, haiku: { ...model, costUSD: 0.01 } };
    const record = { ...interrupted, usage: zeros, model_usage_since_last_result: models };
    const usage = { inputTokens: 300, cachedInputTokens: 60, outputTokens: 10, usd: 0.02 };
    expect(usageIn(started, record)).toEqual([usage]);
  });

  test('are those that were streamed where the last record knows of none', () => {
    const record = { ...interrupted, usage: zeros, model_usage_since_last_result: {} };
    const usage = { inputTokens: 130, cachedInputTokens: 30, outputTokens: 1, usd: 0 };
    expect(usageIn(started, record)).toEqual([usage]);
    expect(usageIn(record)).toEqual([{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, usd: 0 }]);
  });

  test('of a turn that is cut off are those that were streamed, of all its messages', () => {
    expect(usageIn(started, written, started)).toEqual([
      { inputTokens: 260, cachedInputTokens: 60, outputTokens: 43 },
    ]);
    expect(usageIn()).toEqual([]);
  });
});

test("a sub-agent's words are not part of the answer, its tools are shown", () => {
  const content = [
    { type: 'text', text: 'inner' },
    { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.ts' } },
  ];
  const { events } = read(
    {
      type: 'stream_event',
      parent_tool_use_id: 'x',
      event: { delta: { type: 'text_delta', text: 'inner' } },
    },
    { type: 'assistant', parent_tool_use_id: 'x', message: { content } },
  );
  expect(events).toEqual([
    { type: 'tool-start', toolId: 't', name: 'Read', input: 'a.ts', kind: 'read' },
    { type: 'tool-detail', toolId: 't', locations: [{ path: 'a.ts' }] },
  ]);
});

test('a record of an unknown kind is kept as it is', () => {
  const record = { type: 'system', subtype: 'compact_boundary' };
  expect(read(record, 7, { type: 'constructor' }).events).toEqual([
    { type: 'raw', record },
    { type: 'raw', record: 7 },
    { type: 'raw', record: { type: 'constructor' } },
  ]);
});

test.each([
  "error: unknown option '--resume-session-at'",
  'No message found with message.uuid of: 7f84fab4-308c-4d4a-8abc-552bf82cdf02',
])('a session that cannot be forked at a place is as good as unknown: %s', (stderr) => {
  expect(claudeDialect.explainExit?.({ exitCode: 1, stderr })?.code).toBe('SESSION_UNKNOWN');
});

test('the mark of a turn is that of the last thing the agent itself said', () => {
  const assistant = (uuid: string, more: object = {}) => ({
    type: 'assistant',
    uuid,
    message: { content: [{ type: 'text', text: uuid }] },
    ...more,
  });
  const { events } = read(
    { type: 'system', subtype: 'init', session_id: 's-1' },
    assistant('first'),
    assistant('last'),
    assistant('of-a-sub-agent', { parent_tool_use_id: 'toolu_1' }),
    assistant('of-an-error', { is_api_error_message: true }),
    { type: 'result', is_error: false, session_id: 's-1' },
  );
  expect(events.filter(({ type }) => type === 'session')).toEqual([
    { type: 'session', sessionId: 's-1' },
    { type: 'session', sessionId: 's-1', mark: 'last' },
  ]);
});

describe('a tool that Claude would have asked a person about', () => {
  const use = (name: string, input: object) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 't', name, input }] },
  });
  const denied = (content: string) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content }] },
  });
  const warningsOf = (name: string, input: object, content = 'This command requires approval') =>
    read(use(name, input), denied(content)).events.filter(({ type }) => type === 'warning');

  test.each([
    ['Bash', { command: 'npm test', description: 'Runs the tests' }, 'Bash(npm test)'],
    ['mcp__notes__add', { text: 'x' }, 'mcp__notes__add'],
  ])('is named as the entry that allows it: %s %j', (name, input, entry) => {
    expect(warningsOf(name, input)).toEqual([{ type: 'warning', about: { code: 'denied-unasked', entry } }]);
  });

  test.each([
    ['Bash', { command: 'rm *' }],
    ['Bash', { command: 'npm test\nrm x' }],
    ['Write', { file_path: '/etc/x' }],
  ])('is not named where the entry would allow more: %s %j', (name, input) => {
    expect(warningsOf(name, input)).toEqual([]);
  });

  test('is not one that failed or that a rule denied', () => {
    expect(warningsOf('Bash', { command: 'npm test' }, '3 failed')).toEqual([]);
    expect(warningsOf('Bash', { command: 'npm test' }, 'Permission to use Bash has been denied.')).toEqual(
      [],
    );
  });
});
