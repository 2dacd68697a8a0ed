import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alivePids, isDeaf, registeredProcesses, until } from '../agents/process/hostileAgent.js';
import { createMachine, finished, saying, teamFile } from './runHuddle.js';

function startHanging(behaviour: string) {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  const pidFile = join(machine.folder, 'pids');
  const child = machine.start(['run', 'Go.', '--trust', '--output-format', 'stream-json'], {
    env: { HOSTILE: behaviour, HOSTILE_PIDFILE: pidFile },
  });
  child.stdin.end();
  const started = saying(child.stdout, /"turn-start"/u);
  return { child, started, ending: finished(child), pidFile };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s stops the turn, keeps its end in the record, and ends with %i', async (signal, exitCode) => {
  const { child, started, ending } = startHanging('hang');
  await started;
  child.kill(signal);
  const { code, stdout } = await ending;
  expect(code).toBe(exitCode);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-2)).toMatchObject({ type: 'turn-end', result: { kind: 'cancelled' } });
  expect(events.at(-1)).toMatchObject({ type: 'files-recorded', files: [] });
});

test('a second signal leaves at once, and the agent that would not stop is gone soon after', async () => {
  const { child, started, ending, pidFile } = startHanging('ignoreterm');
  await started;
  await until(() => registeredProcesses(pidFile).some(({ pid }) => isDeaf(pid)));
  const stopping = saying(child.stdout, /"conversation-pause"/u);
  child.kill('SIGINT');
  await stopping;
  child.kill('SIGINT');
  expect((await ending).code).toBe(130);
  await expect.poll(() => alivePids(pidFile), { timeout: 5000 }).toEqual([]);
});
