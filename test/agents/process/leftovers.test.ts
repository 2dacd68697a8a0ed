import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlGroupFolder } from '../../../src/agents/process/controlGroup.js';
import { childEnvironment } from '../../../src/agents/process/environment.js';
import { spawnAgent } from '../../../src/agents/process/spawnAgent.js';
import { terminate } from '../../../src/agents/process/terminate.js';
import {
  isAlive,
  type PlayOptions,
  play,
  type RegisteredProcess,
  registeredProcesses,
  until,
} from './hostileAgent.js';
import { noteLast, startDaemon, testFolder, UNMARKED, WAYS_OUT, writeLoop } from './waysOut.js';

const playShell = (script: string, options: PlayOptions = {}) =>
  play('', { style: 'plain', ...options, request: { command: ['sh', '-c', script], ...options.request } });

/** Cancels as soon as the processes of the turn are as wanted. */
function cancelWhen(isReady: (there: readonly RegisteredProcess[]) => boolean): PlayOptions {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onProcesses: (there) => {
      if (isReady(there)) controller.abort();
      return controller.signal.aborted;
    },
  };
}

describe.each(WAYS_OUT)('a process %s', (_title, wayOut) => {
  const leave = () => `${wayOut(writeLoop(testFolder()))}`;

  it('does not survive a turn that ends by itself', async () => {
    const { outcome, alive } = await playShell(`${leave()}; echo done`);
    expect(outcome).toEqual({ kind: 'completed', text: 'done', exitCode: 0 });
    expect(alive).toEqual([]);
  });

  it('does not survive a turn that is cancelled', async () => {
    const whenThere = cancelWhen((there) => there.length === 1);
    const { outcome, alive } = await playShell(`${leave()}; sleep 60`, whenThere);
    expect(outcome).toMatchObject({ kind: 'cancelled' });
    expect(alive).toEqual([]);
  });
});

describe('a process with none of our marks', () => {
  it('does not survive a turn that is cancelled while its parent lives', async () => {
    const whenThere = cancelWhen((there) => there.length === 1);
    const { alive } = await playShell(`${UNMARKED}; sleep 60`, whenThere);
    expect(alive).toEqual([]);
  });

  it.runIf(controlGroupFolder() !== undefined)('does not leave the control group of its agent', async () => {
    const isMember = 'until grep -q /huddle- /proc/$$/cgroup; do sleep 0.01; done';
    const { alive } = await playShell(`${isMember}; ${UNMARKED}; echo done`);
    expect(alive).toEqual([]);
  });
});

it('spares what somebody else has started meanwhile', async () => {
  const result = await spawnAgent({
    command: ['sh', '-c', 'read line'],
    args: [],
    environment: childEnvironment({
      parent: process.env,
      mode: 'inherit',
      ownCredentials: [],
      extra: {},
    }),
    workingFolder: testFolder(),
  });
  if (result.kind === 'failed') throw new Error(result.failure.reason);
  const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other, 'spawn');
  expect(await terminate(result.agent)).toEqual([]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

it('spares what another turn has started that still runs', async () => {
  const pidFile = join(testFolder(), 'pids');
  const env = { HOSTILE_PIDFILE: pidFile };
  const stop = new AbortController();
  const [, orphan] = WAYS_OUT.find(([title]) => title === 'whose parent is gone') ?? [];
  const long = playShell(`${orphan?.('')}; sleep 60`, { signal: stop.signal, env });
  await until(() => registeredProcesses(pidFile).length === 1);
  const [{ pid } = { pid: 0 }] = registeredProcesses(pidFile);
  expect(await playShell(`${orphan?.('')}; echo done`)).toMatchObject({ alive: [] });
  expect(isAlive(pid)).toBe(true);
  stop.abort();
  expect(await long).toMatchObject({ outcome: { kind: 'cancelled' }, alive: [] });
  await until(() => !isAlive(pid));
});

describe('what a program that uses us starts itself, and leaves alone', () => {
  it('outlives the turns that ran meanwhile', async () => {
    const pidFile = join(testFolder(), 'pids');
    const { alive } = await playShell(`sleep 60 & ${noteLast('child')}; wait`, {
      ...cancelWhen((there) => {
        if (there.length === 0) return false;
        spawnSync('/bin/sh', ['-c', startDaemon(pidFile)]);
        return true;
      }),
    });
    expect(alive).toEqual([]);
    const [daemon] = registeredProcesses(pidFile);
    expect(daemon && isAlive(daemon.pid)).toBe(true);
    process.kill(daemon?.pid ?? 0, 'SIGKILL');
  });
});

describe('a turn whose output others go on writing', () => {
  const flood = `env -i setsid timeout 30 yes ${'flood'.repeat(20)} & ${noteLast('flood')}`;

  it.each(['plain', 'claude'] as const)('is over soon after its agent (%s)', async (style) => {
    const began = performance.now();
    const { outcome, alive } = await playShell(`${flood}; echo done`, { style });
    expect(outcome.kind).toBe(style === 'plain' ? 'completed' : 'failed');
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(alive).toEqual([]);
  });
});

describe('stopping an agent', () => {
  /** Writes down every signal it gets, in the group of the agent but with nothing else of it. */
  const listen = (file: string) => {
    const script = `
      for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => fs.appendFileSync('${file}', name + ' '));
      fs.writeFileSync('${file}', '');
      setTimeout(() => undefined, 60_000);`;
    return `env -i ${process.execPath} -e "${script}" & ${noteLast('listener')}`;
  };

  it('asks its whole group, and then kills it without asking again', async () => {
    const file = join(testFolder(), 'asked');
    const options = cancelWhen(() => existsSync(file));
    const { alive } = await playShell(`trap '' INT TERM; ${listen(file)}; sleep 60`, options);
    expect(alive).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('SIGINT SIGTERM ');
  });

  it('kills without asking what outlives an agent that has left by itself', async () => {
    const file = join(testFolder(), 'asked');
    const { alive } = await playShell(
      `${listen(file)}; until [ -e ${file} ]; do sleep 0.02; done; echo done`,
    );
    expect(alive).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('lets one that was stopped still say what its turn cost', async () => {
    const script = `trap 'echo cost: 3; exit 0' INT; echo "$$ agent" >> "$HOSTILE_PIDFILE"; kill -s STOP $$; sleep 60`;
    const options = cancelWhen((there) => there.some(({ pid }) => isStopped(pid)));
    const { outcome } = await playShell(script, options);
    expect(outcome).toEqual({ kind: 'cancelled', draft: 'cost: 3\n' });
  });
});

function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/status`;
  return existsSync(file) && /^State:\s+T/mu.test(readFileSync(file, 'utf8'));
}
