import { expect, test } from 'vitest';
import { FAILURES, turnOfScript } from '../../src/agents/rehearsal/script.js';
import { type Cli, listRecordings, readRecording } from '../agents/playRecording.js';
import { claudeSimulator } from './claudeSimulator.js';
import { codexSimulator } from './codexSimulator.js';
import { geminiSimulator } from './geminiSimulator.js';
import type { Output, SimulatedTurn, Simulator } from './Simulator.js';

const simulators: ReadonlyArray<readonly [Cli, Simulator]> = [
  ['claude', claudeSimulator],
  ['codex', codexSimulator],
  ['gemini', geminiSimulator],
];

const tokens = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, usd: 0 };
const turn: SimulatedTurn = {
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

test.each(simulators)('%s: the simulator says nothing that the real CLI does not say', (cli, simulator) => {
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
    simulator.play(turn),
    ...FAILURES.map((failure) => simulator.play({ ...turn, failure })),
  ];
  for (const record of outputs.flatMap(({ stdout, stdoutAfterPause = '' }) =>
    parse(stdout + stdoutAfterPause),
  ))
    expect([...(known.get(kindOf(record)) ?? [])], kindOf(record)).toEqual(
      expect.arrayContaining(Object.keys(record)),
    );
});

test.each([
  ['codex', codexSimulator, 'session-6-resume-unknown'],
  ['gemini', geminiSimulator, 'session-6-resume-unknown'],
] as const)('%s: an unknown session ends exactly like the real one', (cli, simulator, name) => {
  const { stdout, stderr, exit } = readRecording(cli, name);
  expect(simulator.unknownSession('99999999-2222-4333-8444-555555555555')).toEqual({
    stdout: stdout.toString(),
    stderr,
    exitCode: exit.code,
  });
});

test.each([
  ['claude', claudeSimulator, 'auth', 1],
  ['codex', codexSimulator, 'auth', 1],
  ['gemini', geminiSimulator, 'auth', 145],
  ['gemini', geminiSimulator, 'rate-limit', 173],
  ['gemini', geminiSimulator, 'server-error', 244],
  ['gemini', geminiSimulator, 'not-logged-in', 41],
] as const)('%s: a failure of the kind %s has the exit code of the real one', (...row) => {
  const [, simulator, failure, exitCode] = row;
  expect(simulator.play({ ...turn, failure }).exitCode).toBe(exitCode);
});

test('claude: a broken connection sounds like the real one', () => {
  const kinds = (stdout: string) =>
    parse(stdout)
      .map(kindOf)
      .filter((kind) => /api_retry|content_block_delta|message_stop|^assistant|^result/.test(kind));
  const played = claudeSimulator.play({ ...turn, blocks: ['Hello'], tools: [], failure: 'cut' });
  expect(kinds(played.stdout)).toEqual(kinds(readRecording('claude', 'cut').stdout.toString()));
});

test.each([
  ['claude', claudeSimulator],
  ['codex', codexSimulator],
] as const)('%s: nothing but the first notice comes before the pause for another attempt', (_, simulator) => {
  const { stdout, stdoutAfterPause = '' } = simulator.play({ ...turn, failure: 'auth' });
  const isNotice = (record: Record<string, unknown>) => /api_retry|Reconnecting/.test(JSON.stringify(record));
  expect(parse(stdout).findIndex(isNotice)).toBe(parse(stdout).length - 1);
  expect(parse(stdoutAfterPause).some(isNotice)).toBe(true);
});

test('the same turn sounds the same every time', () => {
  for (const [, simulator] of simulators) expect(simulator.play(turn)).toEqual(simulator.play(turn));
});

test('a script has turns for each member, and begins again after the last', () => {
  const script = { max: [{ text: 'one' }, { text: ['two', 'blocks'] }], sarah: [{ next: ['max'] }] };
  const texts = [0, 1, 2].map((turn) => turnOfScript(script, 'max', turn).text);
  expect(texts).toEqual([['one'], ['two', 'blocks'], ['one']]);
  expect(turnOfScript(script, 'sarah', 5)).toMatchObject({ text: undefined, next: ['max'] });
  expect(turnOfScript(script, 'toString', 0)).toMatchObject({ text: undefined, tools: [], next: [] });
});
