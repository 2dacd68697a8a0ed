import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTerminal } from '../cli/pty.js';
import { createMachine, root, teamFile } from '../cli/runHuddle.js';

/** `HUDDLE_SOAK=1` plays the full figures and holds the program to them. */
const isFull = process.env.HUDDLE_SOAK === '1';
const LOAD = isFull ? { megabytes: 10, tools: 200, keys: 60 } : { megabytes: 1, tools: 200, keys: 10 };
const KEY_MILLISECONDS = 50;
/** Once, when an answer of ten megabytes is complete: it is read in one piece and written to disk in one piece. */
const SETTLING_MILLISECONDS = 500;
const PEAK_MEGABYTES = 350;

describe('a very long turn of a real agent', { timeout: 300_000 }, () => {
  test('leaves the screen responsive and the program small', async () => {
    const machine = createMachine();
    copyFileSync(join(root, 'test', 'soak', 'loudAgent.mjs'), join(machine.folder, 'bin', 'claude'));
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    await machine.run(['trust', '--yes']);
    const env = { LOUD_MEGABYTES: String(LOAD.megabytes), LOUD_TOOLS: String(LOAD.tools) };
    const pidFile = join(machine.folder, 'pid');
    const terminal = openTerminal(machine, { env, pidFile });
    await terminal.until('ready');
    terminal.type('Go.\r');
    await terminal.until('echo 1');
    const waits: number[] = [];
    for (let key = 0; key < LOAD.keys; key++) {
      const letter = String.fromCodePoint(0x4e00 + key);
      const start = performance.now();
      terminal.type(letter);
      await terminal.until(letter);
      waits.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, isFull ? 100 : 10));
    }
    await terminal.until('The end of it.');
    await terminal.until('turn-1');
    const peak = peakMegabytes(Number(readFileSync(pidFile, 'utf8')));
    terminal.type('\x03');
    terminal.type('\x03');
    expect(await terminal.ended).toBe(0);
    waits.sort((one, other) => one - other);
    const [middle = 0, slowest = 0] = [waits[Math.floor(waits.length / 2)], waits.at(-1)];
    console.info(`a key shows after ${middle.toFixed(0)} ms, at most ${slowest.toFixed(0)}; peak ${peak} MB`);
    if (!isFull) return;
    expect(middle).toBeLessThan(KEY_MILLISECONDS);
    expect(slowest).toBeLessThan(SETTLING_MILLISECONDS);
    expect(peak).toBeLessThan(PEAK_MEGABYTES);
  });
});

function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
