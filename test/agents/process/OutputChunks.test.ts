import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { OutputChunks } from '../../../src/agents/process/OutputChunks.js';
import { settlesWithin } from '../../../src/agents/process/settlesWithin.js';

const PATIENCE = 50;

/** A program that says so much when it is told to, and what happens while this process has no time to look. */
async function startProgram(said: number) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const done = join(folder, 'done');
  const script = 'read go; head -c "$1" /dev/zero; : > "$0"';
  const child = spawn('sh', ['-c', script, done, String(said)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const sleepThroughIt = async () => {
    await setImmediate();
    child.stdin.end('\n');
    const end = performance.now() + 2 * PATIENCE;
    while (!existsSync(done) || performance.now() < end);
  };
  return { child, sleepThroughIt };
}

test('what has arrived is read, however late this process looks', async () => {
  const said = 100_000;
  const { child, sleepThroughIt } = await startProgram(said);
  const output = new OutputChunks(child.stdout);
  const reading = (async () => {
    let bytes = 0;
    for await (const chunk of output) bytes += chunk.length;
    return bytes;
  })();
  output.endWhenQuiet(PATIENCE);
  await sleepThroughIt();
  expect(await reading).toBe(said);
});

test('what has happened in time counts, however late this process looks', async () => {
  const { child, sleepThroughIt } = await startProgram(1);
  const said = new Promise((resolve) => child.stdout.once('data', resolve));
  const isInTime = settlesWithin(said, PATIENCE);
  await sleepThroughIt();
  expect(await isInTime).toBe(true);
});

test('reading is over a second later, whoever goes on writing', async () => {
  const child = spawn('timeout', ['30', 'yes'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.stdout.destroy());
  const output = new OutputChunks(child.stdout);
  const began = performance.now();
  output.endWhenQuiet(PATIENCE);
  for await (const _chunk of output);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('what was left in the pipe is read, however slow the reader is', async () => {
  const said = 100_000;
  const child = spawn('head', ['-c', String(said), '/dev/zero'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = new OutputChunks(child.stdout);
  await once(child, 'exit');
  output.endWhenQuiet(PATIENCE);
  let bytes = 0;
  for await (const chunk of output) {
    const end = performance.now() + 1100;
    while (performance.now() < end);
    bytes += chunk.length;
  }
  expect(bytes).toBe(said);
});
