import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlainFolder, makeRepository } from './repository.js';
import { openTestWorkspace, recordTurn } from './workspaces.js';

test('commits, branches and stash are told', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const first = folder.git('rev-parse', 'HEAD').trim();
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n' });
  folder.git('checkout', '-q', '-b', 'topic/x');
  folder.git('commit', '-qam', 'second');
  folder.write({ 'a.txt': 'three\n' });
  folder.git('stash', '-q');
  const second = folder.git('rev-parse', 'HEAD').trim();
  const { git, files } = await recordTurn(workspace);
  expect(files).toMatchObject([{ path: 'a.txt' }]);
  expect(git).toEqual({
    head: { before: first, after: second },
    branch: { before: 'main', after: 'topic/x' },
    refs: ['refs/heads/topic/x', 'refs/stash'],
  });
  folder.git('pack-refs', '--all');
  folder.git('checkout', '-q', '--detach');
  expect((await recordTurn(workspace)).git).toEqual({ branch: { before: 'topic/x' } });
});

test('what can run programs or hide files is told by its name', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder, 'c');
  const gitFolder = join(folder.folder, '.git');
  folder.git('config', 'core.pager', 'evil');
  writeFileSync(join(gitFolder, 'hooks/pre-commit'), '#!/bin/sh\n');
  mkdirSync(join(gitFolder, 'info'), { recursive: true });
  writeFileSync(join(gitFolder, 'info/exclude'), 'hidden.txt\n');
  folder.write({ 'hidden.txt': 'seen all the same\n' });
  const { git, files } = await recordTurn(workspace);
  expect(git).toEqual({ files: ['config', 'hooks/pre-commit', 'info/exclude'] });
  expect(files).toMatchObject([{ path: 'hidden.txt', change: 'add' }]);
  await workspace.close();
  chmodSync(join(gitFolder, 'hooks/pre-commit'), 0o755);
  const later = await openTestWorkspace(folder, 'c');
  expect((await recordTurn(later)).git).toEqual({ files: ['hooks/pre-commit'] });
  expect((await recordTurn(later)).git).toBeUndefined();
});

test('a repository that is deleted is told once, and recording goes on', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const workspace = await openTestWorkspace(folder);
  rmSync(join(folder.folder, '.git'), { recursive: true });
  folder.write({ 'a.txt': 'two\n' });
  expect(await recordTurn(workspace)).toMatchObject({ files: [{ path: 'a.txt' }], git: { isGone: true } });
  folder.write({ 'a.txt': 'three\n' });
  const { files, git } = await recordTurn(workspace, { withPatch: true });
  expect(files).toMatchObject([{ path: 'a.txt', change: 'update', added: 1, removed: 1 }]);
  expect(git).toBeUndefined();
});

test('a repository that is made is told', async () => {
  const folder = makePlainFolder({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.git('init', '-q', '-b', 'main');
  folder.git('add', '-A');
  folder.git('commit', '-qm', 'first');
  const head = folder.git('rev-parse', 'HEAD').trim();
  const { files, git } = await recordTurn(workspace);
  expect(files).toEqual([]);
  expect(git).toEqual({ head: { after: head }, branch: { after: 'main' }, refs: ['refs/heads/main'] });
});
