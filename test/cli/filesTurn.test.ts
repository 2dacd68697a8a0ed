import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../files/repository.js';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const NAME = 'src/in/a/folder/far/down/where/names/are/long/generated.test.ts';
const AUTHOR = `read -r line; printf 'one\\n2\\nthree\\n' > src/upload.ts; printf 'x' > '${NAME}'; echo Changed.`;

/** A repository, a command that changes files in it, and one that does not. */
async function machineThatEdits(): Promise<Machine> {
  const machine = createMachine();
  const command = (script: string) => ({ agentType: 'command', command: ['/bin/sh', '-c', script] });
  machine.write(
    'huddle.jsonc',
    teamFile({ author: command(AUTHOR), calm: command('read -r line; echo Nothing.') }),
  );
  machine.write('src/upload.ts', 'one\ntwo\n');
  machine.write(NAME, '');
  const folder = testFolder(machine.project, join(machine.folder, 'data'));
  folder.git('init', '-q', '-b', 'main');
  folder.git('add', '-A');
  folder.git('commit', '-q', '-m', 'first');
  await machine.trust();
  return machine;
}

test('run lists on standard error what a turn changed, and nothing where nothing did', async () => {
  const machine = await machineThatEdits();
  const { code, stdout, stderr } = await machine.run(['run', 'Go. [NEXT: author, calm]']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'author:\n  Changed.\n\ncalm:\n  Nothing.\n' });
  expect(stderr.split('\n').slice(1, 5)).toEqual([
    'author · turn-1 · 2 files +3 −1',
    `  M ${NAME} +1`,
    '  M src/upload.ts +2 −1',
    expect.stringMatching(/^2 turns in /u),
  ]);
  const json = await machine.run(['run', 'Go. [NEXT: calm]', '--output-format', 'json']);
  expect(JSON.parse(json.stdout).turns).toMatchObject([{ turnId: 'turn-1', files: [] }]);
});

describe.skipIf(!hasTmux())('in a terminal', { timeout: 60_000 }, () => {
  test.each([40, 80, 120])('the files stand under the answer, in %i columns', async (columns) => {
    const machine = await machineThatEdits();
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: [],
      columns,
      rows: 30,
      folder: machine.project,
      env: machine.env,
    });
    await screen.until('Type a message.');
    screen.type('@author Go.');
    screen.press('Enter');
    await screen.until('M src/upload.ts');
    const rows = screen.rows();
    const start = rows.findIndex((row) => row.endsWith('Changed.'));
    const path = columns < 80 ? 'src/in/a/fol…/generated.test.ts' : NAME;
    expect(rows.slice(start + 1, start + 5)).toEqual([
      expect.stringMatching(/ s · turn-1$/u),
      '  ± turn-1 · 2 files +3 −1',
      `    M ${path} +1`,
      '    M src/upload.ts +2 −1',
    ]);
    screen.press('C-d');
    await screen.until('code: 0');
  });
});
