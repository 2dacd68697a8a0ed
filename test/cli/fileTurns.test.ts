import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEverything, runTestGit } from '../files/repository.js';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const TEXT = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join('');

/** A machine with git and a team of two commands that edit files in their turns. */
async function machineWithEditors(more: Readonly<Record<string, unknown>> = {}): Promise<Machine> {
  const machine = createMachine();
  machine.write('a.txt', TEXT);
  const edit = (name: string, line: number) =>
    machine.write(
      `${name}.mjs`,
      `import { readFileSync, writeFileSync } from 'node:fs';
       writeFileSync('a.txt', readFileSync('a.txt', 'utf8').replace('line ${line}\\n', '${name} ${line}\\n'));
       writeFileSync('${name}.txt', 'new\\n');
       console.log('Done by ${name}.');`,
    );
  edit('ada', 1);
  edit('max', 9);
  const member = (name: string) => ({
    agentType: 'command',
    command: ['node', `${name}.mjs`],
    permission: 'edit',
  });
  machine.write('huddle.jsonc', teamFile({ ada: member('ada'), max: member('max') }, more));
  runTestGit(machine.project, ['init', '-q', '-b', 'main']);
  runTestGit(machine.project, ['add', '-A']);
  runTestGit(machine.project, ['commit', '-q', '-m', 'first']);
  await machine.trust();
  return machine;
}

function read(machine: Machine, path: string): string {
  return readFileSync(join(machine.project, path), 'utf8');
}

test('turns are shown, undone and redone after a run', async () => {
  const machine = await machineWithEditors();
  const git = readEverything(join(machine.project, '.git'));
  const run = await machine.run(['run', 'Go. [NEXT: ada, max]']);
  expect(run.code).toBe(0);
  const { stdout } = await machine.run(['diff', 'all']);
  runTestGit(machine.project, ['apply', '-R', '--check'], stdout);
  const undone = await machine.run(['undo', '1', '--yes']);
  expect(undone.stderr).toBe('');
  expect(undone.stdout).toBe(
    [
      'turn-1 (ada) changed 2 files. Undo will:',
      '  merge   a.txt     keeps what max changed later in other lines',
      '  remove  ada.txt',
      'Undone: turn-1 (2 files). To redo: huddle undo undo-1',
      '',
    ].join('\n'),
  );
  expect(read(machine, 'a.txt')).toBe(TEXT.replace('line 9', 'max 9'));
  expect((await machine.run(['undo', 'undo-1', '--yes'])).code).toBe(0);
  expect(read(machine, 'a.txt')).toContain('ada 1');
  expect(readEverything(join(machine.project, '.git'))).toEqual(git);
});

test('what members did in copies of a blind round is applied by a person', async () => {
  const machine = await machineWithEditors({ routing: { fanout: 'blind' } });
  const run = await machine.run(['run', 'Go. [NEXT: ada, max]']);
  expect({ code: run.code, out: run.stdout }).toMatchObject({ code: 0 });
  expect(read(machine, 'a.txt')).toBe(TEXT);
  const none = await machine.run(['undo', '--yes']);
  expect(none.stderr).toBe('error[NOTHING_TO_UNDO]: Nothing to undo.\n');
  const applied = await machine.run(['apply', '1', '--yes']);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toBe(
    [
      'turn-1 (ada) changed 2 files in its copy. Apply will, in this folder:',
      '  write  a.txt',
      '  write  ada.txt',
      'Applied: turn-1 (2 files). To undo: huddle undo apply-1',
      '',
    ].join('\n'),
  );
  const second = await machine.run(['apply', '2', '--yes']);
  expect(second.stdout).toContain('  merge  a.txt     keeps what kim changed later in other lines\n');
  expect(read(machine, 'a.txt')).toBe(TEXT.replace('line 1\n', 'ada 1\n').replace('line 9', 'max 9'));
  expect(await machine.run(['apply', '2', '--yes'])).toMatchObject({
    code: 1,
    stderr: 'error[NOTHING_TO_APPLY]: Nothing to apply: this folder has the changes of turn-2 already.\n',
  });
  expect((await machine.run(['undo', '--yes'])).stdout).toContain('Undone: apply-2 (2 files)');
  expect((await machine.run(['undo', 'apply-1', '--yes'])).code).toBe(0);
  expect(read(machine, 'a.txt')).toBe(TEXT);
  // A turn is undone where it worked.
  const inCopy = await machine.run(['undo', '1', '--yes']);
  expect(inCopy.stdout).toContain(
    'turn-1 (ada) changed 2 files in the copy of ada. Undo will, in that copy:',
  );
  expect(await machine.run(['commit', '2', '-m', 'x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('error[IN_A_COPY]'),
  });
});

test('a turn that did not run in a copy cannot be applied', async () => {
  const machine = await machineWithEditors();
  await machine.run(['run', 'Go. [NEXT: ada]']);
  const { code, stderr } = await machine.run(['apply', '1', '--yes']);
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error[NOT_A_COPY]: turn-1 worked in this folder, not in a copy, so there is nothing to apply.\n',
  );
});

describe.skipIf(!hasTmux())('in the terminal', { timeout: 60_000 }, () => {
  async function startHuddle(size = {}): Promise<{ machine: Machine; screen: TmuxScreen }> {
    const machine = await machineWithEditors();
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: [],
      columns: 80,
      rows: 24,
      folder: machine.project,
      env: machine.env,
      ...size,
    });
    await screen.until('Type a message.');
    screen.type('Go. [NEXT: ada]');
    screen.press('Enter');
    await screen.until('Done by ada.');
    await screen.until('waiting for you');
    return { machine, screen };
  }

  function submit(screen: TmuxScreen, line: string): void {
    screen.type(line);
    screen.press('Enter');
  }

  test('/diff shows the lines, /undo asks first, /undo undo-1 redoes', async () => {
    const { machine, screen } = await startHuddle();
    submit(screen, '/diff');
    await screen.until('ada 1');
    submit(screen, '/undo');
    await screen.until('Undo? [y/N]');
    await screen.until('y undo · n cancel');
    expect(screen.everything().join('\n')).toContain('  restore  a.txt');
    submit(screen, 'n');
    await screen.until('Not undone.');
    expect(read(machine, 'a.txt')).toContain('ada 1');
    submit(screen, '/undo 1 -- ada.txt');
    await screen.until('Undo? [y/N]');
    submit(screen, 'y');
    await screen.until('To redo: /undo undo-1');
    expect(existsSync(join(machine.project, 'ada.txt'))).toBe(false);
    expect(read(machine, 'a.txt')).toContain('ada 1');
    submit(screen, '/undo undo-1');
    await screen.until((rows) => rows.filter((row) => row.includes('Undo? [y/N]')).length > 0);
    submit(screen, 'y');
    await screen.until('To redo: /undo undo-2');
    expect(read(machine, 'ada.txt')).toBe('new\n');
    const other = await machine.run(['undo', '1', '--yes']);
    expect(other.code).toBe(75);
  });

  test('a refusal names the commands of the terminal, and touches nothing', async () => {
    const { machine, screen } = await startHuddle();
    writeFileSync(join(machine.project, 'a.txt'), read(machine, 'a.txt').replace('ada 1', 'kim 1'));
    submit(screen, '/undo');
    await screen.until('1 of 2 files was changed since turn-1 in the same lines');
    expect(screen.everything().join(' ').replaceAll(/\s+/gu, ' ')).toContain(
      'Look: /diff 1.. · The others: /undo 1 -- ada.txt',
    );
    expect(read(machine, 'a.txt')).toContain('kim 1');
  });

  test('/help lists them', async () => {
    const { screen } = await startHuddle({ rows: 60 });
    submit(screen, '/help');
    await screen.until('/undo');
    expect(screen.everything().join('\n')).toMatch(/\/diff\s+show what a turn changed/u);
  });
});
