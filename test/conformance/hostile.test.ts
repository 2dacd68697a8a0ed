import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import { claudeDialect } from '../../src/agents/claude/dialect.js';
import { codexDialect } from '../../src/agents/codex/dialect.js';
import type { Dialect } from '../../src/agents/dialect/Dialect.js';
import { geminiDialect } from '../../src/agents/gemini/dialect.js';
import { runDialectTurn, type TurnProcessOptions } from '../../src/agents/process/runDialectTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { credentialsOf } from '../../src/models/knownPrograms.js';
import type { TurnFailureCode, TurnOutcome } from '../../src/models/TurnOutcome.js';
import { turnRequest } from '../agents/turnRequest.js';

const hostileAgent = fileURLToPath(new URL('../fixtures/hostile-agent.mjs', import.meta.url));

/** The real dialect, started as always, with the hostile agent in the place of the program. */
function hostile(dialect: Dialect, style: string, behaviour: string): Dialect {
  const env = {
    HOSTILE: behaviour,
    HOSTILE_STYLE: style,
    HOSTILE_TEXT: 'Hello, 小明.',
    HOSTILE_MAX_LIFE_MS: '20000',
  };
  return {
    ...dialect,
    prepare(request) {
      const invocation = dialect.prepare({ ...request, command: [process.execPath, hostileAgent] });
      return { ...invocation, env: { ...invocation.env, ...env } };
    },
  };
}

interface Run {
  readonly events: readonly AgentEvent[];
  readonly outcome: TurnOutcome;
}

async function run(
  dialect: Dialect,
  request: Partial<TurnRequest> = {},
  options?: TurnProcessOptions,
): Promise<Run> {
  const events: AgentEvent[] = [];
  for await (const event of runDialectTurn(
    dialect,
    turnRequest(request),
    new AbortController().signal,
    options,
  ))
    events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('The last event is not `end`.');
  return { events, outcome: end.outcome };
}

async function answerOf(...parameters: Parameters<typeof run>): Promise<string> {
  const { outcome } = await run(...parameters);
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.text;
}

const answered = [
  'fixed',
  'exit1',
  'transient',
  'badjson',
  'deepjson',
  'nonewline',
  'crlf',
  'bom',
  'dup',
  'twoturns',
  'proto',
] as const;

const ended: ReadonlyArray<readonly [behaviour: string, code: TurnFailureCode]> = [
  ['exit0error', 'AGENT_ERROR'],
  ['silent', 'NO_FINAL_EVENT'],
  ['nofinal', 'NO_FINAL_EVENT'],
  ['halfline', 'NO_FINAL_EVENT'],
  ['crash', 'NO_FINAL_EVENT'],
  ['signal', 'NO_FINAL_EVENT'],
];

describe.concurrent.each([
  ['claude', claudeDialect, 'ANTHROPIC_API_KEY'],
  ['codex', codexDialect, 'OPENAI_API_KEY'],
  ['gemini', geminiDialect, 'GEMINI_API_KEY'],
] as const)('%s, misbehaving', (style, dialect, ownVariable) => {
  test.each(answered)('answers all the same: %s', async (behaviour) => {
    const { outcome } = await run(hostile(dialect, style, behaviour));
    expect(outcome.kind).toBe('completed');
  });

  test.each(ended)('does not count as an answer: %s', async (behaviour, code) => {
    const { outcome } = await run(hostile(dialect, style, behaviour));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code } });
  });

  test('says the answer once', async () => {
    expect(await answerOf(hostile(dialect, style, 'fixed'))).toBe('Hello, 小明.');
  });

  test('gets a prompt of 1 MB byte for byte', async () => {
    const prompt = 'Ünïcode 小明 🦉\r\n\u2028'.repeat(40_000);
    const meta = JSON.parse(await answerOf(hostile(dialect, style, 'meta'), { prompt }));
    expect(meta).toMatchObject({
      bytes: Buffer.byteLength(prompt),
      sha256: createHash('sha256').update(prompt).digest('hex'),
    });
  });

  test('is started with system text of 1 MB without an argument that is too long', async () => {
    const systemFlag = 'x'.repeat(1024 * 1024);
    const text = await answerOf(hostile(dialect, style, 'argv'), { systemFlag });
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
  });

  test("sees the key of its own vendor and nobody else's", async () => {
    const secrets = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b', GEMINI_API_KEY: 'c', HUDDLE_SECRET: 'd' };
    const text = await answerOf(
      hostile(dialect, style, 'env'),
      { credentials: credentialsOf({ agentType: style }) },
      { environment: { ...process.env, ...secrets } },
    );
    const names = text.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => Object.hasOwn(secrets, name))).toEqual([ownVariable]);
  });
});
