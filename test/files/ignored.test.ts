import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { GIT_ENVIRONMENT, makePlainFolder, makeRepository, testFolder } from './repository.js';
import { openTestWorkspace, recordTurn } from './workspaces.js';

test('ignored files are not looked at, by whatever rule, unless git tracks them', async () => {
  const folder = makeRepository({ 'tracked.log': 'one\n', 'a.txt': 'one\n' });
  const home = makeTemporaryFolder();
  testFolder(home, '').write({ '.config/git/ignore': '*.global\n' });
  folder.write({ '.gitignore': '*.log\n', '.git/info/exclude': '*.mine\n' });
  const workspace = await openTestWorkspace(folder, 'c', { env: { PATH: GIT_ENVIRONMENT.PATH, HOME: home } });
  folder.write({
    'tracked.log': 'two\n',
    'x.log': 'x\n',
    'x.global': 'x\n',
    'x.mine': 'x\n',
    'node_modules/p/index.js': 'x\n',
    'py/__pycache__/x.pyc': 'x\n',
    '.venv/bin/python': 'x\n',
    '.huddle-0123456789abcdef/new': 'x\n',
    'seen.txt': 'x\n',
  });
  const { files } = await recordTurn(workspace);
  expect(files.map(({ path }) => path)).toEqual(['seen.txt', 'tracked.log']);
});

test('the data folder is never recorded, wherever it is', async () => {
  const folder = makePlainFolder({ 'a.txt': 'one\n' });
  const inside = testFolder(join(folder.folder, 'deep/work'), join(folder.folder, 'deep/work/da[t]a #1'));
  inside.write({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(inside, 'c', { env: { PATH: GIT_ENVIRONMENT.PATH } });
  inside.write({ 'a.txt': 'two\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt' }]);
  expect((await recordTurn(workspace)).files).toEqual([]);
});

test('files that a turn hides with rules of its own are named in its record', async () => {
  const folder = makeRepository({ '.gitignore': '*.log\n', 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({
    '.gitignore': '*.log\n/secret.txt\nbuild/\n',
    'old.log': 'ignored before\n',
    'secret.txt': 'hidden\n',
    'build/out/x.o': 'x\n',
    'node_modules/p/index.js': 'x\n',
  });
  const { files, patch } = await recordTurn(workspace, { withPatch: true });
  expect(files).toMatchObject([
    { path: '.gitignore', change: 'update' },
    { path: 'build/out/x.o', change: 'add' },
    { path: 'secret.txt', change: 'add', added: 1 },
  ]);
  expect(patch).toContain('+hidden\n');
  folder.write({ 'secret.txt': 'ignored now\n' });
  expect((await recordTurn(workspace)).files).toEqual([]);
});

test('files that were recorded before they were ignored are still seen', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  folder.write({ 'notes.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({ '.gitignore': 'notes.txt\n', 'notes.txt': 'two\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: '.gitignore' }, { path: 'notes.txt' }]);
});
