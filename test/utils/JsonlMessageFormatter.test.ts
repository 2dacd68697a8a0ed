import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formatJsonl } from '../../src/utils/JsonlMessageFormatter.js';

const recording = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../fixtures/recordings/${name}.stdout.jsonl`, import.meta.url)),
    'utf8',
  );
const lines = (...records: unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');

const multi = 'First second third — ünïcode ✓ line\nbreak and `code` {"json":true} end.';

test.each([
  ['claude', 'claude/multi-partial', 'af8a413a-a458-4a36-849b-b0f038f02a12'],
  ['openai-codex', 'codex/multi', '01a1dcb3-f691-75c1-8a81-3ca54e6dc6ac'],
  ['Gemini', 'gemini/multi', '3abb0c5d'],
])('%s: a recorded output becomes its text', (agentType, name, sessionId) => {
  const output = formatJsonl(agentType, recording(name));
  expect(output).toMatchObject({ text: multi, isComplete: true, badLines: 0 });
  expect(output.sessionId).toMatch(new RegExp(`^${sessionId}`));
});

test("Gemini: only the assistant's messages appear, without colours, as the design documents ask", () => {
  const raw = lines(
    { type: 'message', role: 'user', content: 'the prompt' },
    { type: 'message', role: 'assistant', content: '\u001b[31mHello\u001b[0m ', delta: true },
    { type: 'message', role: 'assistant', content: 'world', delta: true },
    { type: 'result', success: true },
  );
  expect(formatJsonl('google-gemini', raw)).toEqual({ text: 'Hello world', isComplete: true, badLines: 0 });
});

test('a turn without its end gives what had arrived, and says that it is not complete', () => {
  expect(formatJsonl('gemini', recording('gemini/hangmid-sigint'))).toMatchObject({
    text: 'Hello from the fake model (scenario hangmid).',
    isComplete: false,
  });
});

test('a failed turn says why', () => {
  expect(formatJsonl('claude', recording('claude/err-401-retries0'))).toMatchObject({
    text: '',
    isComplete: false,
    failure: { code: 'AUTH' },
  });
});

test('lines that are no records are counted and left out', () => {
  const raw = `Loading…\n${recording('codex/text')}\n{"type":"item.comp`;
  expect(formatJsonl('codex', raw)).toMatchObject({ text: 'Hello from the fake model.', badLines: 2 });
});

test('the output of commands and of unknown agents is text', () => {
  expect(formatJsonl('command', '\u001b[32mok\u001b[0m\n')).toEqual({
    text: 'ok\n',
    isComplete: true,
    badLines: 0,
  });
  expect(formatJsonl('cursor', 'Hi')).toEqual({ text: 'Hi', isComplete: true, badLines: 0 });
});
