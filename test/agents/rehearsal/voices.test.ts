import { expect, test } from 'vitest';
import { FAILURES, turnOfScript } from '../../../src/agents/rehearsal/script.js';
import type { Output, Performance, Voice } from '../../../src/agents/rehearsal/Voice.js';
import { claudeVoice } from '../../../src/agents/rehearsal/voices/claudeVoice.js';
import { codexVoice } from '../../../src/agents/rehearsal/voices/codexVoice.js';
import { geminiVoice } from '../../../src/agents/rehearsal/voices/geminiVoice.js';
import { type Cli, listRecordings, readRecording } from '../playRecording.js';

const voices: ReadonlyArray<readonly [Cli, Voice]> = [
  ['claude', claudeVoice],
  ['codex', codexVoice],
  ['gemini', geminiVoice],
];

const tokens = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, usd: 0 };
const performance: Performance = {
  prompt: 'Hello',
  blocks: ['Let me look.', 'Done.'],
  tools: [{ name: 'Bash', input: 'ls', result: 'a.ts', ok: true, asks: false }],
  model: 'some-model',
  sessionId: '99999999-2222-4333-8444-555555555555',
  usage: tokens,
  sessionTotals: tokens,
};

function parse(stdout: string): ReadonlyArray<Record<string, unknown>> {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** The kind of a record, down to what tells its variants apart. */
function kindOf(record: Record<string, unknown>): string {
  const inner = (record.item ?? record.event ?? {}) as Record<string, unknown>;
  return [record.type, record.type === 'system' ? record.subtype : '', inner.type ?? ''].join('/');
}

test.each(voices)('%s: the stand-in says nothing that the real CLI does not say', (cli, voice) => {
  const known = new Map<string, Set<string>>();
  for (const name of listRecordings(cli)) {
    if (/long-1mb|700k/.test(name)) continue;
    for (const record of parse(readRecording(cli, name).stdout.toString())) {
      const keys = known.get(kindOf(record)) ?? new Set();
      for (const key of Object.keys(record)) keys.add(key);
      known.set(kindOf(record), keys);
    }
  }
  const outputs: readonly Output[] = [
    voice.play(performance),
    ...FAILURES.map((failure) => voice.play({ ...performance, failure })),
  ];
  for (const record of outputs.flatMap(({ stdout, stdoutAfterPause = '' }) =>
    parse(stdout + stdoutAfterPause),
  ))
    expect([...(known.get(kindOf(record)) ?? [])], kindOf(record)).toEqual(
      expect.arrayContaining(Object.keys(record)),
    );
});

test.each([
  ['codex', codexVoice, 'session-6-resume-unknown'],
  ['gemini', geminiVoice, 'session-6-resume-unknown'],
] as const)('%s: an unknown session ends exactly like the real one', (cli, voice, name) => {
  const { stdout, stderr, exit } = readRecording(cli, name);
  expect(voice.unknownSession('99999999-2222-4333-8444-555555555555')).toEqual({
    stdout: stdout.toString(),
    stderr,
    exitCode: exit.code,
  });
});

test.each([
  ['claude', claudeVoice, 'auth', 1],
  ['codex', codexVoice, 'auth', 1],
  ['gemini', geminiVoice, 'auth', 145],
  ['gemini', geminiVoice, 'rate-limit', 173],
  ['gemini', geminiVoice, 'server-error', 244],
  ['gemini', geminiVoice, 'not-logged-in', 41],
] as const)('%s: a failure of the kind %s has the exit code of the real one', (...row) => {
  const [, voice, failure, exitCode] = row;
  expect(voice.play({ ...performance, failure }).exitCode).toBe(exitCode);
});

test('claude: a broken connection sounds like the real one', () => {
  const kinds = (stdout: string) =>
    parse(stdout)
      .map(kindOf)
      .filter((kind) => /api_retry|content_block_delta|message_stop|^assistant|^result/.test(kind));
  const played = claudeVoice.play({ ...performance, blocks: ['Hello'], tools: [], failure: 'cut' });
  expect(kinds(played.stdout)).toEqual(kinds(readRecording('claude', 'cut').stdout.toString()));
});

test.each([
  ['claude', claudeVoice],
  ['codex', codexVoice],
] as const)('%s: nothing but the first notice comes before the pause for another attempt', (_, voice) => {
  const { stdout, stdoutAfterPause = '' } = voice.play({ ...performance, failure: 'auth' });
  const isNotice = (record: Record<string, unknown>) => /api_retry|Reconnecting/.test(JSON.stringify(record));
  expect(parse(stdout).findIndex(isNotice)).toBe(parse(stdout).length - 1);
  expect(parse(stdoutAfterPause).some(isNotice)).toBe(true);
});

test('the same performance sounds the same every time', () => {
  for (const [, voice] of voices) expect(voice.play(performance)).toEqual(voice.play(performance));
});

test('a script has turns for each member, and begins again after the last', () => {
  const script = { max: [{ text: 'one' }, { text: ['two', 'blocks'] }], sarah: [{ next: ['max'] }] };
  const texts = [0, 1, 2].map((turn) => turnOfScript(script, 'max', turn).text);
  expect(texts).toEqual([['one'], ['two', 'blocks'], ['one']]);
  expect(turnOfScript(script, 'sarah', 5)).toMatchObject({ text: undefined, next: ['max'] });
  expect(turnOfScript(script, 'toString', 0)).toMatchObject({ text: undefined, tools: [], next: [] });
});
