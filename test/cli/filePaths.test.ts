import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listProjectFiles } from '../../src/cli/typing/listProjectFiles.js';
import { openSession, sentIn, typeIn } from './editorSession.js';
import { hasTerminal } from './pty.js';
import { createMachine, type Machine } from './runHuddle.js';

const ENTER = '\r';
const TAB = '\t';

function fillProject(machine: Machine): void {
  machine.write('.gitignore', 'dist/\n');
  for (const file of [
    'src/main.ts',
    'src/deep/other.ts',
    'dist/main.js',
    'node_modules/x/main.js',
    'my notes.md',
  ])
    machine.write(file, '');
}

describe('files that can be named', () => {
  test('are those that git does not ignore', async () => {
    const machine = createMachine();
    fillProject(machine);
    execFileSync('git', ['init', '-q'], { cwd: machine.project });
    machine.write('.gitignore', 'dist/\nnode_modules/\n');
    const files = await listProjectFiles(machine.project, process.env);
    expect(files.toSorted()).toEqual(['.gitignore', 'my notes.md', 'src/deep/other.ts', 'src/main.ts']);
  });

  test('are all but those of installed packages where there is no git', async () => {
    const machine = createMachine();
    fillProject(machine);
    const files = await listProjectFiles(machine.project, { PATH: machine.env.PATH });
    expect(files.toSorted()).toEqual([
      '.gitignore',
      'dist/main.js',
      'my notes.md',
      'src/deep/other.ts',
      'src/main.ts',
    ]);
  });

  test('are asked of a git that gets no keys', async () => {
    const machine = createMachine();
    const seen = join(machine.folder, 'environment');
    const fake = join(machine.folder, 'bin', 'git');
    writeFileSync(fake, `#!/bin/sh\nexport > '${seen}'\nprintf 'a\\0'\n`, { mode: 0o755 });
    const env = { PATH: machine.env.PATH, ANTHROPIC_API_KEY: 'secret', GIT_DIR: '/elsewhere' };
    expect(await listProjectFiles(machine.project, env)).toEqual(['a']);
    expect(readFileSync(seen, 'utf8')).not.toMatch(/ANTHROPIC|GIT_DIR/u);
  });

  test('of a folder that is not there are none', async () => {
    expect(await listProjectFiles('/no/such/folder', { PATH: '' })).toEqual([]);
  });
});

describe.skipIf(!hasTerminal)('@path', () => {
  test('completes files after members, by any part of the path, and calls no member', async () => {
    const session = await openSession();
    const { machine } = session;
    fillProject(machine);
    machine.write('bob/plan.md', '');
    execFileSync('git', ['init', '-q'], { cwd: machine.project });
    await typeIn(session, [
      ['Compare @mai', '→ src/main.ts'],
      [TAB, '@src/main.ts'],
      ['@note', '→ my notes.md'],
      [TAB, '@"my notes.md"'],
      ['@plan', '→ bob/plan.md'],
      [TAB, '@./bob/plan.md'],
      [ENTER, 'was asked.'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: Compare @src/main.ts @"my notes.md" @./bob/plan.md']);
  });

  test('goes into a folder', async () => {
    const session = await openSession();
    fillProject(session.machine);
    await typeIn(session, [
      ['@sr', '→ src/'],
      [TAB, '@src/'],
      ['d', '→ src/deep/'],
    ]);
  });
});
