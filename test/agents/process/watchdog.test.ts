import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { hasProcessTable } from '../../../src/agents/process/processTable.js';
import { isAlive, until } from './hostileAgent.js';

const watchdogFile = fileURLToPath(new URL('../../../dist/agents/process/watchdog.js', import.meta.url));

/**
 * A program that starts the watchdog, and a process that is no agent, and dies when the watchdog has just begun: so much memory
 * takes so long to give back that the watchdog finds it dying, and still the parent of both. Prints their pids.
 */
const DYING_SLOWLY = `
  import { spawn } from 'node:child_process';
  import { closeSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
  import { watchdog } from ${JSON.stringify(watchdogFile)};
  const listSockets = () => readdirSync('/proc/self/fd').filter((name) => {
    try { return readlinkSync('/proc/self/fd/' + name).startsWith('socket:'); } catch { return false; }
  });
  const before = listSockets();
  watchdog.wake();
  const [pipe] = listSockets().filter((name) => !before.includes(name));
  spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  writeSync(1, readFileSync('/proc/self/task/' + process.pid + '/children'));
  globalThis.kept = Buffer.alloc(400 * 2 ** 20, 1);
  closeSync(Number(pipe));
  process.kill(process.pid, 'SIGKILL');
`;

it.runIf(hasProcessTable)('ends, and spares what is no agent, while our process still dies', async () => {
  const program = spawn(process.execPath, ['--input-type=module', '-e', DYING_SLOWLY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [shell = 0, other = 0] = (await text(program.stdout)).trim().split(' ').map(Number);
  onTestFinished(() => void process.kill(other, 'SIGKILL'));
  await until(() => !isAlive(shell));
  expect(isAlive(other)).toBe(true);
});
