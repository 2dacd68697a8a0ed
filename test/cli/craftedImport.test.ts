import { describe, expect, test } from 'vitest';
import { keepOne, machineWithTeam, outputOf } from './storedSessions.js';

const MARKUP = '<img src=x onerror=alert(1)>';
const USAGE = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, price: 'unknown' };

type Fields = Record<string, unknown>;

/** A stored session, its log as records, and a way to keep another log under the same name. */
async function stageImport() {
  const machine = machineWithTeam();
  const id = await keepOne(machine, 'Go. [NEXT: max]');
  const log = await outputOf(machine, 'export', id, '--format', 'jsonl');
  const records = linesOf(log);
  const importLog = (crafted: readonly Fields[]) => {
    machine.write('log.jsonl', crafted.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return machine.run(['import', 'log.jsonl', '--id', 'copy']);
  };
  return { machine, records, importLog };
}

function linesOf(log: string): Fields[] {
  const lines = log.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Fields);
}

describe('a log with a figure that no agent can have used', () => {
  test.each([-1, 0.5, 1e13, null, '1', MARKUP])('is refused: %j', async (inputTokens) => {
    const { importLog, records } = await stageImport();
    const crafted = records.map((record) =>
      record.type === 'turn-end' ? { ...record, usage: { ...USAGE, inputTokens } } : record,
    );
    const { code, stderr } = await importLog(crafted);
    expect({ code, stderr }).toEqual({
      code: 65,
      stderr: expect.stringMatching(
        /^error\[INVALID_IMPORT\]: Line \d+ cannot be imported: usage\.inputTokens: /u,
      ),
    });
  });
});
