import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadSqlite } from '../../src/store/sqlite/loadSqlite.js';
import { type Finished, finished, type Machine, saying } from './runHuddle.js';
import { answering, databaseOf, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

const isRoot = process.getuid?.() === 0;
const go = ['run', 'Go.', '--trust'];

/** As `machine.run`, for what may never end by itself. */
function start(machine: Machine, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = machine.start(args, { env: { ...answering, ...env } });
  child.stdin.end();
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function run(machine: Machine, args: readonly string[], env = {}): Promise<Finished> {
  return finished(start(machine, args, env));
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8);
}

/** A data folder made by hand, with the mode it has by itself. */
function dataFolderOf({ folder }: Machine): string {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700, recursive: true });
  return data;
}

describe('a data folder', () => {
  test.each(['1777', '0777', '0770', '2775'])(
    'that others can write to is refused, and keeps its mode: %s',
    async (mode) => {
      const machine = machineWithTeam();
      const data = dataFolderOf(machine);
      chmodSync(data, Number.parseInt(mode, 8));
      const before = modeOf(data);
      for (const args of [go, ['trust', '--yes']]) {
        const { code, stderr } = await run(machine, args);
        expect(code).toBe(74);
        expect(stderr).toContain(`${data} can be written to by other users (mode ${before})`);
      }
      expect((await run(machine, ['doctor'])).stdout).toContain('can be written to by other users');
      expect({ mode: modeOf(data), files: readdirSync(data) }).toEqual({ mode: before, files: [] });
    },
  );

  test.runIf(isRoot)('of another user is refused, and so is what is behind their link', async () => {
    const machine = machineWithTeam();
    const data = dataFolderOf(machine);
    chownSync(data, 65534, 65534);
    expect(await run(machine, go)).toMatchObject({
      code: 74,
      stderr: expect.stringContaining('another user'),
    });
    const link = join(machine.folder, 'link');
    symlinkSync(join(machine.folder, 'mine'), link);
    mkdirSync(join(machine.folder, 'mine'), { mode: 0o700 });
    execFileSync('chown', ['-h', '65534', link]);
    expect(await run(machine, go, { HUDDLE_HOME: link })).toMatchObject({
      code: 74,
      stderr: expect.stringContaining(`${link} is a link of another user`),
    });
    expect(readdirSync(join(machine.folder, 'mine'))).toEqual([]);
  });

  test('behind a link of its owner is used', async () => {
    const machine = machineWithTeam();
    const mine = join(machine.folder, 'mine');
    mkdirSync(mine, { mode: 0o700 });
    symlinkSync(mine, join(machine.folder, 'data'));
    await keepOne(machine);
    expect(await outputOf(machine, 'sessions')).toContain('Go.');
    expect(readdirSync(mine)).toContain('conversations.sqlite');
  });

  test('that the system cannot make is refused at once', async () => {
    const machine = machineWithTeam();
    const { code, stderr } = await run(machine, go, { HUDDLE_HOME: '/proc/x/y' });
    expect(code).toBe(74);
    expect(stderr).toContain('Cannot use /proc/x/y/conversations.sqlite: no such file or folder');
    const examined = await run(machine, ['doctor'], { HUDDLE_HOME: '/proc/x/y' });
    expect(examined).toMatchObject({ code: 74, stdout: expect.stringContaining('✗ Data folder /proc/x/y') });
  });

  test('is never a path that depends on where one is', async () => {
    const machine = machineWithTeam();
    const before = readdirSync(machine.project);
    for (const args of [go, ['sessions'], ['trust', '--yes'], ['doctor']])
      expect(await run(machine, args, { HUDDLE_HOME: 'data' })).toMatchObject({
        code: 74,
        stderr: expect.stringContaining('error[DATA_FOLDER]: HUDDLE_HOME is a relative path: data. '),
      });
    const { stdout } = await run(machine, ['doctor', '--json'], { HUDDLE_HOME: '', HOME: '' });
    expect(JSON.parse(stdout).dataFolder).toMatch(/^\/.*\/huddle$/u);
    expect(readdirSync(machine.project)).toEqual(before);
    expect((await run(machine, ['team', 'check'], { HUDDLE_HOME: 'data' })).code).toBe(0);
  });
});

/** What may stand in the place of a file of ours, and what is to be left as it is. */
const IN_THE_WAY: Readonly<Record<string, (file: string, { folder }: Machine) => string>> = {
  'a pipe': (file) => {
    execFileSync('mkfifo', ['-m', '644', file]);
    return file;
  },
  'a link to a file': (file, { folder }) => {
    const target = join(folder, 'target');
    writeFileSync(target, 'mine', { mode: 0o644 });
    symlinkSync(target, file);
    return target;
  },
  'a link to a device': (file, { folder }) => {
    const device = join(folder, 'device');
    execFileSync('mknod', ['-m', '666', device, 'c', '1', '3']);
    symlinkSync(device, file);
    return device;
  },
  'a link to nothing': (file) => {
    symlinkSync('/nowhere', file);
    return file;
  },
};
const canMakeDevices = isRoot && spawnSync('mknod', ['--version']).status === 0;

describe.each(Object.keys(IN_THE_WAY).filter((what) => what !== 'a link to a device' || canMakeDevices))(
  '%s',
  (what) => {
    test.each([
      ['conversations.sqlite', go],
      ['conversations.sqlite', ['sessions']],
      ['conversations.sqlite-wal', go],
      ['trust.json', ['run', 'Go.']],
      ['trust.json', ['trust', '--yes']],
    ])('in the place of %s is refused by huddle %j, and left as it is', async (name, args) => {
      const machine = machineWithTeam();
      const file = join(dataFolderOf(machine), name);
      const left = IN_THE_WAY[what]?.(file, machine) ?? '';
      const before = modeOf(left);
      const { code, stderr } = await run(machine, args);
      expect({ code, stderr }).toEqual({
        code: 74,
        stderr: expect.stringMatching(/is a link|is not a regular file/u),
      });
      expect(modeOf(left)).toBe(before);
    });
  },
);

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the program while it waits for the store',
  async (signal) => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const database = new (loadSqlite().DatabaseSync)(databaseOf(machine));
    onTestFinished(() => database.close());
    database.exec('BEGIN IMMEDIATE');
    const child = start(machine, go);
    const trusted = saying(child.stderr, /Trusted for this run only/u);
    const ending = finished(child);
    await trusted;
    await expect
      .poll(() => openFiles(child.pid), { interval: 5, timeout: 4000 })
      .toContain(databaseOf(machine));
    const before = performance.now();
    child.kill(signal);
    expect(await ending).toMatchObject({ code: null, signal });
    expect(performance.now() - before).toBeLessThan(2000);
  },
);

function openFiles(pid: number | undefined): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // It was closed meanwhile.
    }
  });
}

describe('a debug file', () => {
  test('that others could read is closed to them', async () => {
    const machine = machineWithTeam();
    const file = machine.write('debug.log', 'before\n');
    chmodSync(file, 0o666);
    const { code } = await run(machine, [...go, '--debug-file', 'debug.log']);
    expect({ code, mode: modeOf(file) }).toEqual({ code: 0, mode: '600' });
    expect(readFileSync(file, 'utf8')).toMatch(/^before\n.*\[Debug\]\[Send\]/su);
  });

  test('that is a pipe nobody reads is refused at once', async () => {
    const machine = machineWithTeam();
    execFileSync('mkfifo', [join(machine.project, 'pipe')]);
    expect(await run(machine, [...go, '--debug-file', 'pipe'])).toMatchObject({
      code: 74,
      stderr: expect.stringContaining('pipe cannot be written'),
    });
  });

  test('that is a device is left as it is', async () => {
    const { mode } = statSync('/dev/null');
    expect((await run(machineWithTeam(), [...go, '--debug-file', '/dev/null'])).code).toBe(0);
    expect(statSync('/dev/null').mode).toBe(mode);
  });
});
