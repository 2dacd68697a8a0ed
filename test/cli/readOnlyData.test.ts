import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { startsProgram } from '../tier.js';
import { type Finished, finished, type Machine, program } from './runHuddle.js';
import { answering, databaseOf, keepOne, machineWithTeam } from './storedSessions.js';

/** Rights do not bind root, so the folder is mounted read-only, for one process alone. */
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const isRequired = process.env.HUDDLE_REQUIRE_MOUNT === '1';
const isSkipped = !canMount && !isRequired;
if (isSkipped)
  console.warn('Skipped: a data folder that is read-only: `unshare --mount` is not permitted, run as root.');

const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && PATH="$1" && shift && exec "$@"';

/** Runs a command of Huddle while the data folder is on a file system that is read-only. */
function runReadOnly({ env, project }: Machine, args: readonly string[], more = {}): Promise<Finished> {
  const { HUDDLE_HOME = '', PATH = '' } = env;
  const words = ['--mount', '/bin/sh', '-c', MOUNT, HUDDLE_HOME, PATH, process.execPath, program, ...args];
  const options = { cwd: project, env: { ...env, ...more, PATH: process.env.PATH ?? PATH } };
  startsProgram();
  const child = spawn('unshare', words, options);
  child.stdin.end();
  return finished(child);
}

/** A process leaves one file behind, and no other open. */
function keepInOneFile(machine: Machine): Promise<string> {
  return keepOne(machine, 'Go. [NEXT: max, sarah]', {}, true);
}

describe.skipIf(isSkipped)('a data folder that is read-only', () => {
  test('is read by every command that only reads', async () => {
    const machine = machineWithTeam();
    const id = await keepInOneFile(machine);
    for (const args of [
      ['sessions'],
      ['sessions', '--json'],
      ['show', id],
      ['export', id, '--format', 'jsonl'],
      ['cost', id],
      ['why', '1', '--session', id],
      ['diff', 'all', '--session', id],
    ]) {
      const usual = await machine.run(args, { spawned: true });
      expect(usual.code).toBe(0);
      expect({ args, ...(await runReadOnly(machine, args)) }).toEqual({ args, ...usual });
    }
  });

  test('is named by what has to write', async () => {
    const machine = machineWithTeam();
    const id = await keepInOneFile(machine);
    const cannot = `Cannot use ${databaseOf(machine)}: read-only file system.`;
    const renamed = await runReadOnly(machine, ['rename', id, 'New']);
    expect(renamed).toMatchObject({ code: 74, stdout: '' });
    expect(renamed.stderr).toBe(
      `error[STORE_WRITE]: ${cannot} Nothing was written; what was saved before is still there.\n`,
    );
    const run = await runReadOnly(machine, ['run', 'Go.', '--trust'], answering);
    expect(run.code).toBe(74);
    expect(run.stderr).toContain(`${cannot} What was saved before is still there. Fix this`);
    expect(run.stderr).not.toContain('KB free');
  });
});
