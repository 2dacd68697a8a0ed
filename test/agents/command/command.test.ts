import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { createCommandDialect } from '../../../src/agents/command/dialect.js';
import type { Dialect } from '../../../src/agents/dialect/Dialect.js';
import { runDialectTurn } from '../../../src/agents/process/runDialectTurn.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import type { TurnOutcome } from '../../../src/models/TurnOutcome.js';
import { turnRequest } from '../turnRequest.js';

async function run(
  output: Dialect['output'],
  script: string,
  parts: Partial<TurnRequest> = {},
): Promise<TurnOutcome> {
  return (await play(output, script, parts)).outcome;
}

async function play(
  output: Dialect['output'],
  script: string,
  parts: Partial<TurnRequest> = {},
): Promise<{ events: AgentEvent[]; outcome: TurnOutcome }> {
  const request = turnRequest({ command: [process.execPath, '-e', script], ...parts });
  const dialect = createCommandDialect(output);
  const events: AgentEvent[] = [];
  for await (const event of runDialectTurn(dialect, request, new AbortController().signal))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error('no end');
  return { events, outcome: last.outcome };
}

const print = (...records: unknown[]) =>
  records.map((record) => `console.log(${JSON.stringify(JSON.stringify(record))})`).join(';');

test.each([
  ['429 Too Many Requests: quota exceeded, retry in 20 s', 'rate-limited'],
  ['Error: rate_limit_error', 'rate-limited'],
  ['request failed with status 429', 'rate-limited'],
  ['write: disk quota exceeded', 'bad-exit'],
  ['at run (/srv/agent.js:429:12)', 'bad-exit'],
  ['3 of 500 tests failed', 'bad-exit'],
])('a command that dies with %j on stderr is %s', async (line, reason) => {
  const script = `console.error(${JSON.stringify(line)}); process.exit(1)`;
  const outcome = await run('plain-text', script);
  expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'AGENT_ERROR', reason } });
  if (reason === 'rate-limited') {
    expect(outcome).toMatchObject({ failure: { detail: line } });
    expect(await run('json-lines', script)).toMatchObject({ failure: { reason } });
  }
});

describe('a plain command', () => {
  test('gets the prompt on stdin, and what it prints is the answer', async () => {
    const script = "process.stdin.on('data', (text) => process.stdout.write('you said: ' + text))";
    expect(await run('plain-text', script, { prompt: 'Hello 小明' })).toEqual({
      kind: 'completed',
      text: 'you said: Hello 小明',
      exitCode: 0,
    });
  });

  test('that ends by itself has answered, whatever its exit code, which is noted', async () => {
    const { outcome, events } = await play('plain-text', "console.log('2 of 3 passed'); process.exit(1)");
    expect(outcome).toEqual({ kind: 'completed', text: '2 of 3 passed', exitCode: 1 });
    expect(events).toContainEqual({
      type: 'warning',
      about: { code: 'exit-after-answer', command: expect.any(String), exitCode: 1 },
    });
  });

  test.each([
    ['nothing but blanks printed', "console.log(' '); process.exit(1)", 'AGENT_ERROR', { exitCode: 1 }],
    [
      'a signal',
      "console.log('Half.'); process.kill(process.pid, 'SIGKILL')",
      'NO_FINAL_EVENT',
      { signal: 'SIGKILL' },
    ],
  ])('has failed with %s', async (_title, script, code, exit) => {
    expect(await run('plain-text', script)).toMatchObject({
      kind: 'failed',
      failure: { code, reason: 'bad-exit', ...exit },
    });
  });

  test('must be named', () => {
    expect(() => createCommandDialect('plain-text').prepare(turnRequest())).toThrow(
      /command must be a program/,
    );
  });
});

describe('a command that prints JSON lines', () => {
  test('answers in blocks and ends with a result', async () => {
    const script = print(
      { type: 'text', text: 'One.' },
      { text: 'Two.' },
      { type: 'progress' },
      { type: 'result' },
    );
    expect(await run('json-lines', script)).toEqual({ kind: 'completed', text: 'One.\n\nTwo.' });
  });

  test('may give the answer in the result alone', async () => {
    expect(await run('json-lines', print({ result: 'Done.' }))).toEqual({ kind: 'completed', text: 'Done.' });
  });

  test('may give the last block with the result', async () => {
    const script = print({ type: 'result', text: 'Done.' });
    expect(await run('json-lines', script)).toEqual({ kind: 'completed', text: 'Done.' });
  });

  test('does not say the answer twice', async () => {
    const script = print({ text: 'Done.' }, { type: 'result', result: 'Done.' });
    expect(await run('json-lines', script)).toEqual({ kind: 'completed', text: 'Done.' });
  });

  test('says that it failed, and why', async () => {
    const script = print(
      { text: 'So far.' },
      { type: 'result', ok: false, error: { message: 'no such branch' } },
    );
    expect(await run('json-lines', script)).toMatchObject({
      kind: 'failed',
      failure: { code: 'AGENT_ERROR', detail: 'no such branch' },
      draft: 'So far.',
    });
  });

  test('is not complete without a result', async () => {
    expect(await run('json-lines', print({ text: 'Half.' }))).toMatchObject({
      kind: 'failed',
      failure: { code: 'NO_FINAL_EVENT' },
      draft: 'Half.',
    });
  });
});
