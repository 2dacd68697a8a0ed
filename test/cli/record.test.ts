import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, finished, type Machine, saying, teamFile } from './runHuddle.js';

const FILE = 'login.jsonl';
const TOKEN = `ghp_${'FAKE1'.repeat(8)}`;

/** A member that answers with these words, notes that it ran, and does this. */
function answering(words: string, more = ''): object {
  const note = 'require("node:fs").appendFileSync(process.env.HOME + "/ran", "x");';
  const command = ['node', '-e', `${note} ${more} console.log(${words})`];
  return { agentType: 'command', command, permission: 'edit', env: 'inherit' };
}

function machineWith(
  agents: Readonly<Record<string, object>>,
  more: Readonly<Record<string, unknown>> = {},
): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile(agents, more));
  return machine;
}

const hasRun = ({ folder }: Machine): boolean => existsSync(join(folder, 'ran'));
const path = ({ project }: Machine, file = FILE): string => join(project, file);
const read = (machine: Machine, file = FILE): string => readFileSync(path(machine, file), 'utf8');

function record(machine: Machine, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  return machine.run(['run', '--trust', '--record', FILE, ...args, 'Is it safe?'], { env });
}

function play(machine: Machine, args: readonly string[] = []) {
  return machine.run(['run', '--cassette', FILE, ...args]);
}

describe('recording a run', () => {
  test('writes a private file without secrets and folders, which plays without its agents', async () => {
    const words = `"In " + process.cwd() + " with " + process.env.WIKI_PASSWORD + " and ${TOKEN}"`;
    const machine = machineWith({
      max: answering(words, 'require("node:fs").writeFileSync(".env", "PLAIN=1");'),
    });
    const { code, stderr } = await record(machine, [], { WIKI_PASSWORD: 'correct-horse' });
    expect({ code, stderr: stderr.split('\n').slice(-3) }).toEqual({
      code: 0,
      stderr: [
        `Recorded 1 turn to ${FILE}; 2 values masked.`,
        `To play it: huddle run --cassette ${FILE}`,
        '',
      ],
    });
    expect(statSync(path(machine)).mode & 0o777).toBe(0o600);
    const text = read(machine);
    for (const secret of [TOKEN, 'correct-horse', machine.folder, 'PLAIN=1'])
      expect(text.includes(secret), secret).toBe(false);
    expect(text).toContain('In <folder> with [redacted] and [redacted]');
    machine.write('../ran', '');
    expect(await play(machine)).toMatchObject({ code: 0 });
    expect(read(machine, '../ran')).toBe('');
  });

  test.each([
    ['without --force', [], 'huddle.jsonc', 'huddle.jsonc already exists. To replace it, add --force.'],
    ['into a folder', ['--force'], 'src', 'src is a folder. Name a file.'],
    ['below a file', [], 'huddle.jsonc/a.jsonl', 'huddle.jsonc is not a folder. Choose another one.'],
  ])('starts no agent when the file cannot be: %s', async (_title, args, file, message) => {
    const machine = machineWith({ max: answering('1') });
    mkdirSync(path(machine, 'src'));
    const before = read(machine, 'huddle.jsonc');
    const { code, stderr } = await machine.run(['run', '--trust', '--record', file, ...args, 'Go.']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`error[USAGE]: ${message}`),
    });
    expect(hasRun(machine)).toBe(false);
    expect(read(machine, 'huddle.jsonc')).toBe(before);
  });

  test('makes the folder of the file', async () => {
    const machine = machineWith({ max: answering('1') });
    const { code, stderr } = await machine.run(['run', '--trust', '--record', 'cassettes/a/b.jsonl', 'Go.']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Recorded 1 turn to cassettes/a/b.jsonl\n'),
    });
  });

  test('replaces a recording with --force, and leaves it the mode it has', async () => {
    const machine = machineWith({ max: answering('"second"') });
    writeFileSync(path(machine), 'first\n');
    chmodSync(path(machine), 0o644);
    expect(await record(machine, ['--force'])).toMatchObject({ code: 0 });
    expect(read(machine)).toContain('second');
    expect(statSync(path(machine)).mode & 0o777).toBe(0o644);
    expect(readdirSync(machine.project).sort()).toEqual(['huddle.jsonc', FILE]);
  });

  test('does not write where CI is set, unless told to', async () => {
    const machine = machineWith({ max: answering('1') });
    const refused = await record(machine, [], { CI: 'true' });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--record writes no file when CI is set'),
    });
    expect(hasRun(machine)).toBe(false);
    expect(await record(machine, ['--force'], { CI: 'true' })).toMatchObject({ code: 0 });
    expect(await record(machine, ['--force'], { CI: 'false' })).toMatchObject({ code: 0 });
  });

  test('records a run that failed, and one that a limit ended, and keeps their exit codes', async () => {
    const failing = machineWith({ max: answering('1', 'process.exit(7);') });
    expect(await record(failing)).toMatchObject({ code: 1 });
    expect(await play(failing)).toMatchObject({ code: 0 });
    const talking = machineWith({ max: answering('"[NEXT: sarah]"'), sarah: answering('"[NEXT: max]"') });
    expect(await record(talking, ['--max-turns', '3'])).toMatchObject({ code: 5 });
    expect(await play(talking, ['--max-turns', '3'])).toMatchObject({ code: 0 });
    expect(await play(talking)).toMatchObject({ code: 6 });
  });

  test('writes nothing when it is stopped, and says how to record what is saved', async () => {
    const machine = machineWith({ max: answering('1', 'setInterval(() => {}, 1000);') });
    const child = machine.start([
      'run',
      '--trust',
      '--record',
      FILE,
      '--output-format',
      'stream-json',
      'Go.',
    ]);
    child.stdin.end();
    const ending = finished(child);
    await saying(child.stdout, /"turn-start"/u);
    child.kill('SIGINT');
    const { code, stderr } = await ending;
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /Stopped, so nothing was recorded\. To record what was saved: huddle cassette \S+ --output FILE\n$/u,
    );
    expect(existsSync(path(machine))).toBe(false);
  });

  test('leaves nothing behind when the disk is full', async () => {
    const machine = machineWith({ max: answering('1') });
    const { code, stderr } = await machine.run(['run', '--trust', '--record', '/dev/full', '--force', 'Go.']);
    expect({ code, stderr }).toEqual({
      code: 74,
      stderr: expect.stringContaining('error[CANNOT_WRITE]: /dev/full cannot be written: the disk is full'),
    });
  });

  test('takes a long answer as the log has it, so that it plays', async () => {
    const machine = machineWith({ max: answering('"a line of the long answer\\n".repeat(60_000)') });
    expect(await record(machine)).toMatchObject({ code: 0 });
    expect(read(machine)).toContain('bytes cut here; the whole answer: ~/data/answers/');
    expect(await play(machine)).toMatchObject({ code: 0 });
  });

  test('refuses what makes no sense together', async () => {
    const machine = machineWith({ max: answering('1') });
    expect(await record(machine, ['--continue'])).toMatchObject({ code: 2 });
    expect(await machine.run(['run', '--force', 'Go.'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error[USAGE]: --force needs --record FILE or --accept.'),
    });
    expect(hasRun(machine)).toBe(false);
  });
});

describe('huddle cassette', () => {
  test('makes a recording of a saved session, in a file or on standard output', async () => {
    const machine = machineWith({ max: answering(`"Use ${TOKEN}."`) });
    await machine.run(['run', '--trust', 'Is it safe?']);
    const made = await machine.run(['cassette', '--output', FILE]);
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('1 value masked.') });
    expect(await machine.run(['cassette'])).toMatchObject({ code: 0, stdout: read(machine), stderr: '' });
    expect(await play(machine)).toMatchObject({ code: 0 });
    expect(await machine.run(['cassette', '--output', FILE])).toMatchObject({ code: 2 });
    expect(await machine.run(['cassette', 'nothing', '--output', 'b.jsonl'])).toMatchObject({ code: 2 });
    expect(existsSync(path(machine, 'b.jsonl'))).toBe(false);
  });

  test('warns when the team is another one by now', async () => {
    const machine = machineWith({ max: { ...answering('1'), systemInstruction: 'Be kind.' } });
    await machine.run(['run', '--trust', 'Is it safe?']);
    machine.write('huddle.jsonc', teamFile({ max: { ...answering('1'), systemInstruction: 'Be strict.' } }));
    const { code, stderr } = await machine.run(['cassette', '--output', FILE]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('warning: The recording differs from the team as it is now'),
    });
    expect(read(machine)).toContain('Be kind.');
    expect(await play(machine)).toMatchObject({ code: 6 });
  });

  test('refuses a session with a turn that was cut off', async () => {
    const machine = machineWith({ max: answering('1', 'setInterval(() => {}, 1000);') });
    const child = machine.start(['run', '--trust', '--output-format', 'stream-json', 'Go.']);
    child.stdin.end();
    const ending = finished(child);
    await saying(child.stdout, /"turn-start"/u);
    child.kill('SIGKILL');
    await ending;
    const { code, stderr } = await machine.run(['cassette', '--output', FILE]);
    expect({ code, stderr }).toEqual({
      code: 65,
      stderr: expect.stringContaining('error[INVALID_CASSETTE]: '),
    });
    expect(stderr).toContain('turn-1');
    expect(existsSync(path(machine))).toBe(false);
  });
});
