import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import type { Dialect, ReaderEvent, TurnReader } from '../../../src/agents/dialect/Dialect.js';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { createPlainOutput, createRecordOutput } from '../../../src/agents/process/turnOutput.js';
import { isFull } from '../../soak/isFull.js';
import { tries } from '../../tier.js';

const DIALECTS: ReadonlyArray<readonly [string, Dialect]> = [
  ['claude', claudeDialect],
  ['codex', codexDialect],
  ['gemini', geminiDialect],
];

/** Takes records for events. */
function echoReader(): TurnReader {
  return { read: (record) => [record as ReaderEvent], verdict: undefined };
}

describe('the output of an agent that speaks in records', () => {
  it('is well-formed in every string', () => {
    const output = createRecordOutput(echoReader(), {});
    const line = '{"type":"raw","record":{"a":["\\ud800",{"b":"ok \\udc00"}]}}\n';
    expect(output.push(Buffer.from(line))).toEqual([
      { type: 'raw', record: { a: ['\ufffd', { b: 'ok \ufffd' }] } },
    ]);
  });

  it('joins a pair that was cut by two deltas', () => {
    const output = createRecordOutput(echoReader(), {});
    const lines = '{"type":"text-delta","text":"a\\ud83d"}\n{"type":"text-delta","text":"\\ude00b\\ud800"}\n';
    expect(output.push(Buffer.from(`${lines}{"type":"text","text":"c"}\n`))).toEqual([
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: '😀b' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('joins no pair across the border of two blocks', () => {
    const output = createRecordOutput(echoReader(), {});
    const lines = '{"type":"text-delta","text":"a\\ud83d"}\n{"type":"text-end"}\n';
    expect(output.push(Buffer.from(`${lines}{"type":"text-delta","text":"\\ude00b"}\n`))).toEqual([
      { type: 'text-delta', text: 'a' },
      { type: 'text-end' },
      { type: 'text-delta', text: '\ufffdb' },
    ]);
  });

  it.each(DIALECTS)('may be damaged in any way (%s)', (style, dialect) => {
    const source = Buffer.from(LINES[style] ?? '');
    const numRuns = isFull ? 100_000 : tries(3000);
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

describe('the output of a plain program', () => {
  const textOf = (events: readonly ReaderEvent[]) =>
    events.map((event) => (event.type === 'text-delta' ? event.text : '?')).join('');

  it('is shown as it comes', () => {
    const output = createPlainOutput();
    expect(output.push(Buffer.from('no line end yet'))).toEqual([
      { type: 'text-delta', text: 'no line end yet' },
    ]);
  });

  it('loses its escape sequences wherever they are cut', () => {
    const bytes = Buffer.from(
      'one \x1b[31mréd\x1b[0m\n\x1b]8;;http://a.example\x07link\x1b]8;;\x07 中文 end',
    );
    for (let at = 0; at <= bytes.length; at += 1) {
      const output = createPlainOutput();
      const events = [
        output.push(bytes.subarray(0, at)),
        output.push(bytes.subarray(at)),
        output.end(),
      ].flat();
      expect(textOf(events)).toBe('one réd\nlink 中文 end');
    }
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
