import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { hasProcessTable } from '../../../src/agents/process/processTable.js';
import { isAlive, until } from './hostileAgent.js';

const watchdogFile = fileURLToPath(new URL('../../../compiled/agents/process/watchdog.js', import.meta.url));

/**
 * A program that starts the watchdog, and a process that is no agent, and dies when the watchdog has just begun: so much memory
 * takes so long to give back that the watchdog finds it dying, and still the parent of both. Prints their pids.
 */
const DYING_SLOWLY = `
  import { spawn, spawnSync } from 'node:child_process';
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

/** Words that run a program as the first process of a namespace of its own, where it may say which number is given next. */
const IN_NAMESPACE = ['unshare', '-rpf', '--mount-proc'];

function hasNamespaces(): boolean {
  const [command = '', ...args] = IN_NAMESPACE;
  const { status } = spawnSync(command, [...args, 'sh', '-c', 'echo 400 > /proc/sys/kernel/ns_last_pid']);
  if (status !== 0) console.warn('Skipped: no process namespaces here; numbers cannot be given again.');
  return status === 0;
}

/**
 * A program that starts the watchdog and an agent; when that is gone, a stranger with a child gets its number, and the program ends.
 * Prints the pids of the shell, the agent, the stranger and its child.
 */
const GIVEN_AGAIN = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { readFileSync, writeFileSync } from 'node:fs';
  import { watchdog } from ${JSON.stringify(watchdogFile)};
  watchdog.wake();
  const [shell] = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').split(' ');
  // Longer than a tick of the clock by which the system tells when a process was started.
  const agent = spawn('sleep', ['0.1'], { detached: true, stdio: 'ignore' });
  watchdog.watch(agent.pid);
  await once(agent, 'exit');
  writeFileSync('/proc/sys/kernel/ns_last_pid', String(agent.pid - 1));
  const stranger = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [child] = await once(stranger.stdout, 'data');
  console.log(shell, agent.pid, stranger.pid, Number(child));
  process.exit();
`;

/** Runs it as the first process, and looks which of the others are alive when the watchdog is gone. */
const FIRST_PROCESS = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { readFileSync } from 'node:fs';
  import { text } from 'node:stream/consumers';
  const isAlive = (pid) => {
    try { return !/\\) [ZX] /u.test(readFileSync('/proc/' + pid + '/stat', 'utf8')); } catch { return false; }
  };
  const program = spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(GIVEN_AGAIN)}], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [shell, agent, stranger, child] = (await text(program.stdout)).trim().split(' ').map(Number);
  while (isAlive(shell)) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(JSON.stringify({ isAgain: agent === stranger, stranger: isAlive(stranger), child: isAlive(child) }));
  process.exit();
`;

it.runIf(hasProcessTable && hasNamespaces())(
  'spares a stranger that was given the number of an agent, and its children',
  async () => {
    const [command = '', ...args] = IN_NAMESPACE;
    const first = spawn(command, [...args, process.execPath, '--input-type=module', '-e', FIRST_PROCESS], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void first.kill('SIGKILL'));
    expect(JSON.parse(await text(first.stdout))).toEqual({ isAgain: true, stranger: true, child: true });
  },
);
