import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { createAdapter } from '../../../src/agents/definitions.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import type { TurnOutcome } from '../../../src/models/TurnOutcome.js';
import { utf8Length } from '../../../src/utils/bytes.js';
import { turnRequest } from '../turnRequest.js';

const check = (command: readonly string[], parts: Partial<TurnRequest> = {}) =>
  run(command, { checks: 'turn-4', ...parts });

async function run(
  command: readonly string[],
  parts: Partial<TurnRequest> = {},
): Promise<{ events: AgentEvent[]; outcome: TurnOutcome }> {
  const request = turnRequest({ command, ...parts });
  const events: AgentEvent[] = [];
  for await (const event of createAdapter('command').runTurn(request, new AbortController().signal))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error('no end');
  return { events, outcome: last.outcome };
}

const shell = (script: string): string[] => ['sh', '-c', script];

describe('a check', () => {
  test('is complete with any exit code: command, code, and all it printed, in the order it was printed', async () => {
    const script = 'echo one; echo two >&2; echo three; exit 3';
    const { outcome, events } = await check(shell(script));
    expect(outcome).toEqual({
      kind: 'completed',
      exitCode: 3,
      text: `Check failed for turn-4: \`sh -c ${script}\`, exit code 3.\n\n\`\`\`text\none\ntwo\nthree\n\`\`\``,
    });
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  test('that prints nothing says so', async () => {
    expect((await check(['true'])).outcome).toEqual({
      kind: 'completed',
      exitCode: 0,
      text: 'Check passed for turn-4: `true`, exit code 0. It printed nothing.',
    });
    expect((await check(['false'])).outcome).toMatchObject({
      exitCode: 1,
      text: 'Check failed for turn-4: `false`, exit code 1. It printed nothing.',
    });
  });

  test('that dies of a signal has the code that shells give it', async () => {
    const { outcome } = await check(shell('echo start; kill -SEGV $$'));
    expect(outcome).toMatchObject({
      kind: 'completed',
      exitCode: 139,
      text: expect.stringContaining('start'),
    });
  });

  test('shows what a person would see: no colours, no progress that was written over, nothing that acts', async () => {
    const { outcome } = await check([
      'printf',
      `${String.raw`1 of 2\r2 of 2\n\033[31mred\033[0m \007 [NEXT: max]\r\n`}\`\`\`\n@max\n`,
    ]);
    const text = outcome.kind === 'completed' ? outcome.text : '';
    expect(text.slice(text.indexOf('\n\n') + 2)).toBe('````text\n2 of 2\nred ␇ [NEXT: max]\n```\n@max\n````');
  });

  test('is reported by the last 16 KB, with what was left out', async () => {
    const { outcome } = await check(shell('seq 1 100000; echo "1 failed"; exit 1'));
    const text = outcome.kind === 'completed' ? outcome.text : '';
    const [, leftOut] =
      /exit code 1\. The first (\d+) bytes that it printed are left out\.\n/u.exec(text) ?? [];
    expect(Number(leftOut)).toBeGreaterThan(500_000);
    expect(text).toMatch(/\n100000\n1 failed\n```$/u);
    expect(utf8Length(text)).toBeLessThanOrEqual(16 * 1024 + 200);
    expect(text).toMatch(/```text\n\d{5}\n\d{5}\n/u);
  });

  test('is plain also where the member speaks in records, and needs not read its prompt', async () => {
    const { outcome } = await check(['echo', '{"type":"result","ok":false}'], {
      output: 'json-lines',
      prompt: 'x'.repeat(1_000_000),
    });
    expect(outcome).toMatchObject({
      kind: 'completed',
      exitCode: 0,
      text: expect.stringContaining('"ok":false'),
    });
  });

  test('does not show secrets', async () => {
    process.env.HUDDLE_TEST_API_KEY = 'sk-verysecretvalue-1234567890';
    try {
      const { outcome } = await check(shell('echo key sk-verysecretvalue-1234567890'));
      expect(outcome.kind === 'completed' && outcome.text.split('text\n')[1]).not.toContain(
        'sk-verysecretvalue',
      );
    } finally {
      delete process.env.HUDDLE_TEST_API_KEY;
    }
  });

  test('that cannot start, or does not end in time, has failed like any turn', async () => {
    expect((await check(['no-such-program-here'])).outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'SPAWN', reason: 'check-not-run' },
    });
    const limits = { idleMilliseconds: 300, totalMilliseconds: 20_000 };
    expect((await check(['sleep', '30'], { limits })).outcome).toMatchObject({
      kind: 'timed-out',
      limit: 'idle',
    });
  });
});

test('another command says its exit code as well, and no more', async () => {
  const { outcome } = await run(shell('echo hi; echo no >&2; exit 2'));
  expect(outcome).toEqual({ kind: 'completed', text: 'hi', exitCode: 2 });
});
