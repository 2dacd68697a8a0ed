import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { probeCommand } from '../../src/agents/process/probeCommand.js';
import { isDeaf, play, registeredProcesses, until } from '../agents/process/hostileAgent.js';
import { createMachine, finished, root, teamFile } from '../cli/runHuddle.js';
import { expectWithin, inQuiet } from './inQuiet.js';
import { isFull } from './isFull.js';

const HOSTILE_AGENT = join(root, 'test', 'fixtures', 'hostile-agent.mjs');
const IDLE = { idleMilliseconds: 1000, totalMilliseconds: 60_000 };

/** What must be over, after how many milliseconds at most, and how to measure it. */
const PROMISES: Readonly<Record<string, readonly [number, () => Promise<unknown>]>> = {
  'a turn whose grandchild holds the output': [1000, () => play('grandchild')],
  'a program that is asked for its version and hangs': [5000, probeHanging],
  'a deaf turn that says nothing for the idle limit': [
    1000 + 2500,
    () => play('ignoreterm', { request: { limits: IDLE } }),
  ],
};
/** Huddle is gone this long after a signal, with all it started. */
const SIGNAL_MILLISECONDS = 3000;

describe.runIf(isFull)('what somebody waits for', { timeout: 120_000 }, () => {
  it.for(Object.entries(PROMISES))('is over in time: %s', async ([name, [limit, work]], context) => {
    const measured = await inQuiet(() => time(work), 3);
    console.info(`${name}: ${measured.value.toFixed(0)} ms`);
    expectWithin(limit, measured, context);
  });

  it.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is over in time: a run with a deaf agent, after %s',
    async (signal, context) => {
      const measured = await inQuiet(() => timeSignal(signal), 3);
      console.info(`huddle run with a deaf agent, after ${signal}: ${measured.value.toFixed(0)} ms`);
      expectWithin(SIGNAL_MILLISECONDS, measured, context);
    },
  );
});

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function probeHanging() {
  return probeCommand({
    command: [process.execPath, HOSTILE_AGENT],
    args: ['--version'],
    workingFolder: tmpdir(),
    environment: { ...process.env, HOSTILE_VERSION: 'hang' },
  });
}

/** From the signal to the end of the program, while an agent ignores it. */
async function timeSignal(signal: NodeJS.Signals): Promise<number> {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  const pidFile = join(machine.folder, 'pids');
  const huddle = machine.start(['run', 'Go.', '--trust'], {
    env: { HOSTILE: 'ignoreterm', HOSTILE_PIDFILE: pidFile },
  });
  const ended = finished(huddle);
  await until(() => registeredProcesses(pidFile).some(({ pid }) => isDeaf(pid)));
  return time(() => {
    huddle.kill(signal);
    return ended;
  });
}
