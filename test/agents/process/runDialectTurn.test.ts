import { describe, expect, it } from 'vitest';
import type { UnexplainedExit } from '../../../src/agents/dialect/Dialect.js';
import { runDialectTurn } from '../../../src/agents/process/runDialectTurn.js';
import { turnRequest } from '../turnRequest.js';
import { hostileDialect, isDeaf, play } from './hostileAgent.js';

const GOOD = 'A complete and correct answer.';
const MEGABYTE = 1024 * 1024;
const COMPLETED = { kind: 'completed', text: GOOD };
const INCOMPLETE = { kind: 'failed', draft: GOOD, failure: { code: 'NO_FINAL_EVENT' } };
const NOTHING = { kind: 'failed', draft: '', failure: { code: 'NO_FINAL_EVENT' } };

/** As many agents at once as the machine runs without making the figures worthless. */

/** One that settles its text and one that only streams it. */
describe.each(['claude', 'gemini'] as const)('a turn of a %s-like agent', (style) => {
  const table: ReadonlyArray<readonly [string, string, unknown]> = [
    ['takes a good answer', 'fixed', COMPLETED],
    ['takes an empty answer as empty', 'empty', { kind: 'completed', text: '' }],
    ['takes the answer between banners, broken and unknown lines', 'badjson', COMPLETED],
    ['takes the answer after records nested too deeply', 'deepjson:20000', COMPLETED],
    ['reads a last line without a line end when it is whole', 'nonewline', COMPLETED],
    ['does not read half a line', 'halfline', NOTHING],
    ['reads lines that end in CR LF', 'crlf', COMPLETED],
    ['reads past a byte order mark', 'bom', COMPLETED],
    [
      'joins characters that arrive byte by byte',
      'splitutf8',
      { kind: 'completed', text: '中文 日本語 한글 € 😀 é end' },
    ],
    ['keeps NUL characters of the answer', 'nuls', { kind: 'completed', text: 'nul \0 inside' }],
    [
      'repairs lone surrogates',
      'surrogates',
      { kind: 'completed', text: 'high \ufffd low \ufffd swapped \ufffd\ufffd pair 😀 end' },
    ],
    ['splits lines at LF only', 'ls', { kind: 'completed', text: 'one\u2028two\u2029three\u0085four' }],
    ['ignores a second final event', 'dup', COMPLETED],
    ['ignores text after the final event', 'late', COMPLETED],
    ['ignores a second turn', 'twoturns', COMPLETED],
    [
      'fails on an error event with exit code 0',
      'exit0error',
      { kind: 'failed', failure: { code: 'AGENT_ERROR' } },
    ],
    ['goes on after a retry notice', 'transient', COMPLETED],
    ['fails without any output', 'silent', NOTHING],
    ['keeps text without a final event as a draft', 'nofinal', INCOMPLETE],
    ['keeps the text of an agent that was killed as a draft', 'signal', INCOMPLETE],
    [
      'fails with what the agent said on stderr',
      'crash',
      { ...NOTHING, failure: { code: 'NO_FINAL_EVENT' } },
    ],
    ['is not moved by keys named like prototypes', 'proto', { kind: 'completed' }],
  ];
  it.concurrent.each(table)('%s', async (_title, behaviour, expected) => {
    const { outcome, events, alive } = await play(behaviour, { style });
    expect(outcome).toMatchObject(expected as object);
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
    expect(alive).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.concurrent('replaces invalid bytes and reads on', async () => {
    const { outcome } = await play('badutf8', { style });
    expect(outcome).toMatchObject({
      kind: 'completed',
      text: expect.stringMatching(/^before \ufffd+ after$/u),
    });
  });

  it.concurrent('takes a good answer with exit code 1 and says so', async () => {
    const { outcome, events } = await play('exit1', { style });
    expect(outcome).toEqual(COMPLETED);
    expect(events).toContainEqual({
      type: 'warning',
      about: { code: 'exit-after-answer', command: expect.any(String), exitCode: 1 },
    });
  });

  it.concurrent('hands over a prompt of 4 MB whole', async () => {
    const prompt = '好'.repeat((4 * MEGABYTE) / 3);
    const { outcome } = await play('meta', { style, request: { prompt } });
    const meta = JSON.parse(outcome.kind === 'completed' ? outcome.text : '{}');
    expect(meta).toMatchObject({ bytes: Buffer.byteLength(prompt), loneSurrogates: 0 });
  });
});

describe.concurrent('one turn', () => {
  describe('an agent that misuses its process', () => {
    it.each(['closestdin', 'exitearly'])('may leave a prompt of 4 MB unread (%s)', async (behaviour) => {
      const { outcome } = await play(behaviour, { request: { prompt: 'z'.repeat(4 * MEGABYTE) } });
      expect(outcome).toMatchObject(behaviour === 'closestdin' ? COMPLETED : NOTHING);
    });

    it.each(['grandchild', 'grandquiet', 'granddeaf', 'grandsession', 'forktree:8'])(
      'leaves no descendants behind, and they do not delay the answer (%s)',
      async (behaviour) => {
        const { outcome, alive } = await play(behaviour);
        expect(outcome).toEqual(COMPLETED);
        expect(alive).toEqual([]);
      },
    );

    it.each([
      ['linger:deaf', COMPLETED],
      ['closestdout', NOTHING],
    ])(
      'is judged although it stays, and a cancel after that only hurries it (%s)',
      async (behaviour, expected) => {
        const controller = new AbortController();
        const { outcome, alive } = await play(behaviour, {
          signal: controller.signal,
          onEvent: ({ type }) => {
            if (type === 'end') controller.abort();
          },
        });
        expect(outcome).toMatchObject(expected);
        expect(alive).toEqual([]);
      },
    );

    it('is stopped when it says nothing for the idle limit', async () => {
      const limits = { idleMilliseconds: 600, totalMilliseconds: 60_000 };
      const { outcome, alive } = await play('hang', { request: { limits } });
      expect(outcome).toEqual({ kind: 'timed-out', limit: 'idle', milliseconds: 600, draft: '' });
      expect(alive).toEqual([]);
    });

    it('is stopped at the total limit although it keeps talking, and its words are kept', async () => {
      const limits = { idleMilliseconds: 5000, totalMilliseconds: 1500 };
      const { outcome } = await play('flood:4000', { request: { limits }, style: 'plain' });
      expect(outcome).toMatchObject({
        kind: 'timed-out',
        limit: 'total',
        draft: expect.stringMatching(/^xxx/u),
      });
    });

    it('fails at once when a retry notice says that the login was refused', async () => {
      const { outcome, alive } = await play('retrystorm:50', { style: 'codex' });
      expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'AUTH' } });
      expect(alive).toEqual([]);
    });
  });

  describe('cancelling', () => {
    it.each([
      { behaviour: 'hang', processes: 1, deaf: false },
      { behaviour: 'hangdeaf', processes: 1, deaf: false },
      { behaviour: 'ignoreterm', processes: 1, deaf: true },
      { behaviour: 'spin', processes: 1, deaf: true },
      { behaviour: 'stopself', processes: 2, deaf: false },
      { behaviour: 'relaunch', processes: 2, deaf: true },
      { behaviour: 'term0', processes: 1, deaf: true },
      { behaviour: 'slowterm:100', processes: 1, deaf: true },
    ])('ends the turn and every process of it ($behaviour)', async ({ behaviour, processes, deaf }) => {
      const controller = new AbortController();
      const { outcome, alive } = await play(behaviour, {
        signal: controller.signal,
        onProcesses: (there) => {
          const isReady = there.length === processes && (!deaf || there.some(({ pid }) => isDeaf(pid)));
          if (isReady) controller.abort();
          return isReady;
        },
      });
      expect(outcome).toMatchObject({ kind: 'cancelled' });
      expect(alive).toEqual([]);
    });

    it('keeps the text that had arrived', async () => {
      const controller = new AbortController();
      const { outcome } = await play('flood:200', {
        style: 'plain',
        signal: controller.signal,
        onEvent: () => controller.abort(),
      });
      expect(outcome).toMatchObject({ kind: 'cancelled', draft: expect.stringMatching(/^x/u) });
    });

    it('starts nothing when it comes before the turn', async () => {
      const { events } = await play('fixed', { signal: AbortSignal.abort() });
      expect(events).toEqual([{ type: 'end', outcome: { kind: 'cancelled', draft: '' } }]);
    });
  });

  describe('a flood', () => {
    it('of records does not bury the answer', async () => {
      expect((await play('flood:64')).outcome).toEqual(COMPLETED);
    });

    it('of bytes without a line end is skipped', async () => {
      const { outcome, events } = await play('floodraw:8', { maxLineBytes: MEGABYTE });
      expect(outcome).toEqual(COMPLETED);
      expect(events).toContainEqual({
        type: 'warning',
        about: { code: 'lines-skipped', command: expect.any(String), lines: expect.any(Number) },
      });
    });

    it('on stderr keeps only its end', async () => {
      const { outcome } = await play('floodstderr:16');
      expect(outcome).toEqual(COMPLETED);
    });

    it('that was the whole answer is a failure, not an empty answer', async () => {
      const { outcome } = await play('long:2000000', { maxLineBytes: MEGABYTE, style: 'codex' });
      expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'LINE_TOO_LONG' } });
    });
  });

  describe('a program whose whole output is the answer', () => {
    it('streams its text and completes with exit code 0', async () => {
      const { outcome, events } = await play('fixed', { style: 'plain' });
      expect(outcome).toEqual({ ...COMPLETED, exitCode: 0 });
      expect(events.slice(0, -1).every(({ type }) => type === 'text-delta')).toBe(true);
    });

    it('takes what was printed with exit code 1 as the answer and says so', async () => {
      const { outcome, events } = await play('exit1', { style: 'plain' });
      expect(outcome).toEqual({ kind: 'completed', text: GOOD, exitCode: 1 });
      expect(events).toContainEqual({
        type: 'warning',
        about: { code: 'exit-after-answer', command: expect.any(String), exitCode: 1 },
      });
    });

    it('loses its colours', async () => {
      const { outcome } = await play('fixed', {
        style: 'plain',
        env: { HOSTILE_TEXT: '\x1b[31mred\x1b[0m' },
      });
      expect(outcome).toEqual({ kind: 'completed', text: 'red', exitCode: 0 });
    });
  });

  describe('a failure', () => {
    it('names the command and how it ended, with the end of stderr', async () => {
      const { outcome } = await play('crash');
      expect(outcome).toMatchObject({
        failure: {
          code: 'NO_FINAL_EVENT',
          reason: 'no-final-event',
          command: 'node',
          exitCode: 3,
          stderrTail: 'fatal: hostile-agent crashed on purpose',
        },
      });
    });

    it('is explained by the dialect where it knows more', async () => {
      const explained = { code: 'AUTH', reason: 'login-needed', ways: 'Log in.' } as const;
      const dialect = {
        explainExit: ({ exitCode, stderr }: UnexplainedExit) =>
          exitCode === 3 && stderr.startsWith('fatal:') ? explained : undefined,
      };
      const { outcome } = await play('crash', { dialect });
      expect(outcome).toMatchObject({ failure: explained });
    });

    it('shows no secrets', async () => {
      const { outcome } = await play('secret', {
        style: 'claude',
        env: { HOSTILE: 'secret' },
        maxLineBytes: 100,
      });
      const text = JSON.stringify(outcome);
      expect(text).toContain('[redacted]');
      expect(text).not.toContain('FAKEFAKE');
    });

    it('of a missing command says which, and not where it was looked for', async () => {
      const { outcome } = await play('', {
        request: { command: ['no-such-agent'] },
        environment: { PATH: '/usr/bin:/bin' },
      });
      expect(outcome).toMatchObject({
        kind: 'failed',
        failure: {
          code: 'AGENT_MISSING',
          reason: 'not-found',
          program: 'no-such-agent',
        },
      });
    });
  });
});

it('stops the agent when the loop is left early', async () => {
  const controller = new AbortController();
  const dialect = hostileDialect('plain', { HOSTILE: 'flood:1000' });
  const turn = runDialectTurn(dialect, turnRequest(), controller.signal);
  const { value } = await turn.next();
  expect(value).toMatchObject({ type: 'text-delta' });
  expect(await turn.return()).toEqual({ done: true, value: undefined });
});
