import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';
import { ID, outputOf } from './storedSessions.js';

/** What an agent says a turn took: the fields of Claude's last record. */
type Report = Readonly<Record<string, unknown>>;

const PAIR = { max: { agentType: 'claude' }, sarah: { agentType: 'claude' } };
const HONEST = '"total_cost_usd":1,"usage":{"input_tokens":1000,"output_tokens":0}';
const COMMANDS = [
  ['show'],
  ['sessions'],
  ['cost'],
  ['cost', '--json'],
  ['why', '1'],
  ['resume'],
  ['export', '--format', 'md'],
  ['export', '--format', 'html'],
  ['export', '--format', 'json'],
] as const;

/** Two who hand over to each other for ever; the first turn reports what is given, all others what is true. */
function machineReporting(first: string, limits: object): Machine {
  const machine = createMachine();
  const program = `#!${process.execPath}
const fs = require('node:fs');
fs.readFileSync(0);
const counter = ${JSON.stringify(`${machine.folder}/turns`)};
const turn = fs.existsSync(counter) ? Number(fs.readFileSync(counter, 'utf8')) + 1 : 1;
fs.writeFileSync(counter, String(turn));
const text = 'Turn ' + turn + '\\n[NEXT: ' + (turn % 2 ? 'sarah' : 'max') + ']';
const report = turn === 1 ? ${JSON.stringify(first)} : ${JSON.stringify(HONEST)};
console.log(JSON.stringify({ type: 'system', subtype: 'init', session_id: 'session-' + turn }));
console.log('{"type":"result","subtype":"success","is_error":false,"session_id":"session-' + turn + '","result":' +
  JSON.stringify(text) + ',' + report + '}');
`;
  chmodSync(machine.write('../bin/claude', program), 0o755);
  const wide = { agentTurns: 12, pairTurns: 1000, sameAnswer: 1000 };
  machine.write('huddle.jsonc', teamFile(PAIR, { limits: { ...wide, ...limits } }));
  return machine;
}

function run(machine: Machine) {
  return machine.run(['run', 'Go. [NEXT: max]', '--trust', '--output-format', 'stream-json']);
}

function eventsIn(stdout: string, type: string): Report[] {
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report);
  return events.filter((event) => event.type === type);
}

describe('what an agent reports and cannot be true', () => {
  test.each([
    ['less than nothing', '"total_cost_usd":-100,"usage":{"input_tokens":10,"output_tokens":5}'],
    ['more than there is', '"total_cost_usd":1e9,"usage":{"input_tokens":10,"output_tokens":5}'],
    ['more than JSON holds', '"total_cost_usd":1e999,"usage":{"input_tokens":10,"output_tokens":5}'],
    ['text', '"total_cost_usd":"100","usage":{"input_tokens":10,"output_tokens":5}'],
    [
      'money in parts that cancel out',
      '"total_cost_usd":1,"model_usage_since_last_result":{"a":{"costUSD":-100},"b":{"costUSD":100}},"usage":{"input_tokens":10,"output_tokens":5}',
    ],
  ])('is no money: %s, and the limit holds for what can be believed', async (_, first) => {
    const { code, stdout, stderr } = await run(machineReporting(first, { usd: 3 }));
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.not.stringContaining('UNEXPECTED') });
    expect(eventsIn(stdout, 'turn-end')).toHaveLength(4);
    expect(eventsIn(stdout, 'turn-end')[0]).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 5, price: 'unknown' },
    });
    expect(eventsIn(stdout, 'notice')).toMatchObject([{ code: 'usage-unknown', memberId: 'max' }]);
    expect(eventsIn(stdout, 'conversation-pause')).toMatchObject([{ reason: { limit: 'usd', count: 3 } }]);
  });

  test.each([
    ['less than nothing', '"input_tokens":-1000000,"output_tokens":5'],
    ['a part of one', '"input_tokens":0.5,"output_tokens":5'],
    ['more than there is', '"input_tokens":1e308,"cache_read_input_tokens":1e308'],
    ['parts that cancel out', '"input_tokens":-1000,"cache_read_input_tokens":1000,"output_tokens":5'],
    ['text', '"input_tokens":"<img src=x>","output_tokens":5'],
  ])('is no count of tokens: %s, and the limit holds for what can be believed', async (_, usage) => {
    const machine = machineReporting(`"total_cost_usd":1,"usage":{${usage}}`, { tokens: 3000 });
    const { code, stdout } = await run(machine);
    expect(code).toBe(5);
    expect(eventsIn(stdout, 'turn-end')).toHaveLength(4);
    expect(eventsIn(stdout, 'turn-end')[0]).toMatchObject({
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, usd: 1, price: 'reported' },
    });
    expect(eventsIn(stdout, 'notice')).toMatchObject([{ code: 'usage-unknown' }]);
    expect(eventsIn(stdout, 'conversation-pause')).toMatchObject([{ reason: { count: 3000 } }]);
  });

  test('and what can hold a limit that was reached also in every run that continues the session', async () => {
    for (const limits of [{ usd: 3 }, { tokens: 3000 }]) {
      const machine = machineReporting(HONEST, limits);
      expect(eventsIn((await run(machine)).stdout, 'turn-end')).toHaveLength(3);
      const { code, stdout } = await machine.run([
        ...['run', '-c', 'More. [NEXT: max]', '--trust', '--output-format', 'stream-json'],
      ]);
      expect({ code, turns: eventsIn(stdout, 'turn-start') }).toEqual({ code: 5, turns: [] });
    }
  });

  test('leaves a session that every command can use, and that can be taken elsewhere', async () => {
    const nonsense = '"total_cost_usd":-1e308,"usage":{"input_tokens":1e308,"cache_read_input_tokens":1e308}';
    const machine = machineReporting(nonsense, { tokens: 3000 });
    const id = ID.exec((await run(machine)).stderr)?.[0] ?? '';
    for (const command of COMMANDS) await outputOf(machine, ...command);
    expect((await machine.run(['run', '-c', 'More.', '--trust'])).code).toBe(5);
    const log = await outputOf(machine, 'export', '--format', 'jsonl');
    machine.write('log.jsonl', log);
    await outputOf(machine, 'delete', id, '--yes');
    await outputOf(machine, 'import', 'log.jsonl');
    expect(await outputOf(machine, 'export', '--format', 'jsonl')).toBe(log);
  });
});
