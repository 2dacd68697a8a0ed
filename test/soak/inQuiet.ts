import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { expect, type TestContext } from 'vitest';

/** So much of its time a machine may lose to others on the same host without anybody noticing. */
const QUIET = 0.005;
/** Where so much of the time goes to others on the host, nothing can be said about seconds. */
export const RESTLESS = 0.03;

export interface Measured<Value> {
  readonly value: Value;
  /** The share of the time that the host took from this machine: nobody in it can answer then. */
  readonly taken: number;
}

/** Measures until the machine was left alone meanwhile, but not too often; gives what was measured in the greatest quiet. */
export async function inQuiet<Value>(
  measure: () => Promise<Value>,
  attempts: number,
): Promise<Measured<Value>> {
  let quietest: Measured<Value> | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = readTimes();
    const value = await measure();
    const after = readTimes();
    const taken = (after.taken - before.taken) / Math.max(1, after.all - before.all);
    if (quietest === undefined || taken < quietest.taken) quietest = { value, taken };
    if (taken <= QUIET) break;
  }
  return quietest as Measured<Value>;
}

/** Holds what was measured to a limit in the same unit, where that can be judged; else the test is skipped. */
export function expectWithin(limit: number, { value, taken }: Measured<number>, { skip }: TestContext): void {
  skip(taken > RESTLESS, 'The host of this machine took too much of its time to judge how long things take.');
  expect(value).toBeLessThanOrEqual(limit * crowding());
}

/** How many want each core: where others want it too, everybody waits in turn, whatever the program does. */
export function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

/** In ticks of all cores, see proc(5); the eighth number is what the host took. */
function readTimes(): { readonly all: number; readonly taken: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/u).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), taken: ticks[7] ?? 0 };
}
