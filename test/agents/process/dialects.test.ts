import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import type { Dialect } from '../../../src/agents/Dialect.js';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { runDialectTurn } from '../../../src/agents/process/runDialectTurn.js';
import { Semaphore } from '../../../src/agents/process/Semaphore.js';
import { createRecordOutput } from '../../../src/agents/process/turnOutput.js';
import type { TurnOutcome } from '../../../src/models/TurnOutcome.js';
import { turnRequest } from './hostileAgent.js';

const HOSTILE_AGENT = fileURLToPath(new URL('../../fixtures/hostile-agent.mjs', import.meta.url));
const DIALECTS: ReadonlyArray<readonly [string, Dialect]> = [
  ['claude', claudeDialect],
  ['codex', codexDialect],
  ['gemini', geminiDialect],
];
const GOOD = 'A complete and correct answer.';
const COMPLETED = { kind: 'completed', text: GOOD };
const NO_FINAL_EVENT = { kind: 'failed', failure: { code: 'NO_FINAL_EVENT' } };

/** Twelve ways in which a turn can end. */
const ENDINGS: ReadonlyArray<readonly [string, object]> = [
  ['fixed', COMPLETED],
  ['exit1', COMPLETED],
  ['transient', COMPLETED],
  ['dup', COMPLETED],
  ['late', COMPLETED],
  ['twoturns', COMPLETED],
  ['exit0error', { kind: 'failed', failure: { code: 'AGENT_ERROR' } }],
  ['silent', NO_FINAL_EVENT],
  ['nofinal', { ...NO_FINAL_EVENT, draft: GOOD }],
  ['crash', NO_FINAL_EVENT],
  ['signal', { ...NO_FINAL_EVENT, draft: GOOD }],
  ['halfline', NO_FINAL_EVENT],
];

const slots = new Semaphore(8);

async function outcomeOf(
  dialect: Dialect,
  style: string,
  behaviour: string,
): Promise<TurnOutcome | undefined> {
  const environment = { ...process.env, HOSTILE: behaviour, HOSTILE_STYLE: style };
  const request = turnRequest({ command: [process.execPath, HOSTILE_AGENT] });
  let outcome: TurnOutcome | undefined;
  for await (const event of runDialectTurn(dialect, request, new AbortController().signal, {
    environment,
    slots,
  })) {
    if (event.type === 'end') outcome = event.outcome;
  }
  return outcome;
}

describe.each(DIALECTS)('%s over a real process', (style, dialect) => {
  it.concurrent.each(ENDINGS)('judges the ending "%s"', async (behaviour, expected) => {
    expect(await outcomeOf(dialect, style, behaviour)).toMatchObject(expected);
  });

  it('survives mutated lines', () => {
    const source = Buffer.from(LINES[style] ?? '');
    const numRuns = process.env.HUDDLE_SOAK === '1' ? 100_000 : 5000;
    const mutation = fc.tuple(fc.nat(source.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const bytes = Buffer.from(source);
        for (const [place, byte] of mutations) bytes[place] = byte;
        const output = createRecordOutput(dialect.createReader({}), {});
        output.push(bytes);
        output.end();
      }),
      { numRuns },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

const LINES: Readonly<Record<string, string>> = {
  claude: lines(
    { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
    {
      type: 'assistant',
      session_id: 's',
      message: { id: 'm1', content: [{ type: 'text', text: 'héllo 中文' }] },
    },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] } },
    { type: 'result', is_error: false, result: 'héllo', total_cost_usd: 0.01, usage: { input_tokens: 1 } },
  ),
  codex: lines(
    { type: 'thread.started', thread_id: 's' },
    {
      type: 'item.started',
      item: { id: 'i', type: 'command_execution', command: 'ls', status: 'in_progress' },
    },
    { type: 'item.completed', item: { id: 'j', type: 'agent_message', text: 'héllo 中文' } },
    { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ),
  gemini: lines(
    { type: 'init', session_id: 's', model: 'm' },
    { type: 'message', role: 'assistant', content: 'héllo 中文', delta: true },
    { type: 'tool_use', tool_name: 'ls', tool_id: 't', parameters: { path: '.' } },
    { type: 'tool_result', tool_id: 't', status: 'success', output: 'x' },
    { type: 'result', status: 'success', stats: { input_tokens: 1, output_tokens: 1 } },
  ),
};

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
