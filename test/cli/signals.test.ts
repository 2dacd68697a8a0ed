import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  await expect.poll(() => existsSync(pidFile), { timeout: 5000 }).toBe(true);
  const stopping = saying(child.stdout, /"conversation-pause"/u);
  child.kill('SIGINT');
  await stopping;
  child.kill('SIGINT');
  expect((await ending).code).toBe(130);
  await expect.poll(() => alive(pidFile), { timeout: 5000 }).toEqual([]);
});

function alive(pidFile: string): readonly string[] {
  const lines = readFileSync(pidFile, 'utf8').trim().split('\n');
  return lines.filter((line) => {
    try {
      return process.kill(Number(line.split(' ')[0]), 0);
    } catch {
      return false; // There is no such process any more.
    }
  });
}
