import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlainFolder, makeRepository } from './repository.js';
import { openTestWorkspace, recordTurn, stepsBack } from './workspaces.js';

test('contents are there after the repository has forgotten them', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'same\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n' });
  const { files } = await recordTurn(workspace);
  folder.git('checkout', '-q', '--orphan', 'fresh');
  folder.git('commit', '-qam', 'history rewritten');
  folder.git('branch', '-D', 'main');
  folder.git('reflog', 'expire', '--expire=now', '--all');
  folder.git('gc', '-q', '--prune=now');
  expect(() => folder.git('cat-file', '-e', files[0]?.before?.id ?? '')).toThrow();
  const { patch } = await workspace.patch(files);
  expect(patch).toContain('-one\n+two\n');
  await workspace.carry(await workspace.plan({ steps: stepsBack(files) }));
  expect(folder.read('a.txt')).toBe('one\n');
});

test('what a turn commits and checks out is kept from both sides', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, `${index}\n`]));
  const folder = makeRepository(many);
  folder.git('checkout', '-q', '-b', 'other');
  folder.write(Object.fromEntries(Object.keys(many).map((name) => [name, `other ${name}\n`])));
  folder.git('commit', '-qam', 'other');
  folder.git('checkout', '-q', 'main');
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'untracked.txt': 'x\n' });
  folder.git('checkout', '-q', 'other');
  const { files, git } = await recordTurn(workspace);
  expect(files).toHaveLength(301);
  expect(files.some(({ isKept }) => isKept === false)).toBe(false);
  expect(git).toMatchObject({ branch: { before: 'main', after: 'other' } });
  folder.write({ 'f7.txt': 'mine\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'f7.txt', change: 'update' }]);
});

test('the ids of all contents that a conversation needs are written down, and only this user can read them', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  folder.write({ 'untracked.txt': 'u\n' });
  const workspace = await openTestWorkspace(folder, 'c1');
  folder.write({ 'a.txt': 'two\n', 'untracked.txt': 'v\n' });
  const { files } = await recordTurn(workspace);
  const kept = readFileSync(join(folder.dataFolder, 'files/kept/c1'), 'utf8').split('\n');
  const ids = files.flatMap(({ before, after }) => [before?.id, after?.id]);
  expect(kept).toEqual(expect.arrayContaining(ids));
  const root = join(folder.dataFolder, 'files');
  const open = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(root, name)).mode & 0o077) !== 0,
  );
  expect(open).toEqual([]);
});

test('larger files are named, and their contents are not kept', async () => {
  const folder = makePlainFolder({ 'small.txt': 'small\n', 'grows.txt': 'x\n', 'big.bin': 'b'.repeat(200) });
  const workspace = await openTestWorkspace(folder, 'c1', { maxFileBytes: 100 });
  expect((await recordTurn(workspace)).files).toEqual([]);
  folder.write({ 'grows.txt': 'y'.repeat(101), 'big.bin': 'c'.repeat(200), 'new.bin': 'd'.repeat(300) });
  expect((await recordTurn(workspace, { withPatch: true })).files).toMatchObject([
    { path: 'big.bin', change: 'update', isKept: false },
    { path: 'grows.txt', change: 'update', isKept: false },
    { path: 'new.bin', change: 'add', isKept: false },
  ]);
  expect((await recordTurn(workspace)).files).toEqual([]);
  await workspace.close();
  const later = await openTestWorkspace(folder, 'c1', { maxFileBytes: 100 });
  expect((await recordTurn(later)).files).toEqual([]);
  folder.write({ 'grows.txt': 'small again\n' });
  expect((await recordTurn(later)).files).toMatchObject([
    { path: 'grows.txt', change: 'update', isKept: false },
  ]);
});
