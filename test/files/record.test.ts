import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { FolderRecord, Workspace } from '../../src/files/Workspace.js';
import { makePlainFolder, makeRepository, readEverything, type TestFolder } from './repository.js';

describe.each([
  ['a repository', makeRepository],
  ['a folder without git', makePlainFolder],
])('a record in %s', (_, make) => {
  test('names new, changed and deleted files, and has their lines', async () => {
    const folder = make({ 'a.txt': 'one\ntwo\n', 'b.txt': 'gone\n', 'sub/c.txt': 'same\n' });
    const workspace = await open(folder);
    folder.write({ 'a.txt': 'one\n2\n', 'sub/new.txt': 'new\n' });
    rmSync(join(folder.folder, 'b.txt'));
    const record = recorded(await workspace.record({ withPatch: true }));
    expect(record.files).toMatchObject([
      { path: 'a.txt', change: 'update', added: 1, removed: 1 },
      { path: 'b.txt', change: 'delete', added: 0, removed: 1 },
      { path: 'sub/new.txt', change: 'add', added: 1, removed: 0 },
    ]);
    expect(record.patch).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
    expect(recorded(await workspace.record())).toEqual({ kind: 'recorded', files: [] });
  });

  test('finds nothing when nothing changed', async () => {
    const folder = make({ 'a.txt': 'one\n' });
    const workspace = await open(folder);
    expect(recorded(await workspace.record({ withPatch: true }))).toEqual({ kind: 'recorded', files: [] });
  });

  test('of a later process tells what changed since the last one', async () => {
    const folder = make({ 'a.txt': 'one\n' });
    await (await open(folder)).close();
    folder.write({ 'a.txt': 'two\n' });
    const workspace = workspaceIn(folder);
    expect(await workspace.open()).toEqual({ kind: 'known' });
    expect(recorded(await workspace.record()).files).toMatchObject([{ path: 'a.txt', change: 'update' }]);
  });
});

test('the first look tells how many files it has read', async () => {
  const folder = makePlainFolder(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, `${n}`])));
  const counts: number[] = [];
  await workspaceIn(folder).open({ onProgress: (files) => counts.push(files) });
  expect(counts.at(-1)).toBe(50);
});

test('the repository of the user stays as it is, to the byte and the nanosecond', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const before = readEverything(join(folder.folder, '.git'));
  const workspace = await open(folder);
  folder.write({ 'a.txt': 'two\n', 'b.txt': 'b\n' });
  await workspace.record({ withPatch: true });
  await workspace.close();
  expect(readEverything(join(folder.folder, '.git'))).toEqual(before);
});

function workspaceIn({ folder, dataFolder }: TestFolder): Workspace {
  return openWorkspace({ folder, dataFolder, conversationId: 'c1' });
}

async function open(folder: TestFolder): Promise<Workspace> {
  const workspace = workspaceIn(folder);
  expect(await workspace.open()).toEqual({ kind: 'new' });
  return workspace;
}

function recorded(record: FolderRecord) {
  if (record.kind !== 'recorded') throw new Error(`not recorded: ${record.reason} ${record.detail}`);
  return record;
}
