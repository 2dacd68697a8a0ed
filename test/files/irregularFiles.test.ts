import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import { shell, stageFiles } from './recorder/filesStage.js';
import { GIT_ENVIRONMENT, makePlainFolder, makeRepository, type TestFolder } from './repository.js';

const NAMES = [
  '.gitignore',
  '.gitattributes',
  '.worktreeinclude',
  'src/deep/.gitignore',
  'src/deep/.gitattributes',
  '.git/HEAD',
  '.git/config',
  '.git/index',
  '.git/info/exclude',
];

/** Puts a pipe to which nobody writes in the place of a file. */
function putPipe({ folder }: TestFolder, name: string): void {
  const path = join(folder, name);
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

describe('a pipe in the place of a file that git reads', () => {
  test.each(NAMES)('ends the first look, and is named: %s', async (name) => {
    const place = makeRepository({ 'src/deep/a.txt': 'a' });
    putPipe(place, name);
    const result = { kind: 'not-recorded', reason: 'irregular-file', detail: name, isFinal: false };
    expect(await workspaceIn(place).open()).toEqual(result);
  });

  test.each(NAMES)('ends a record, and the next one covers its time: %s', async (name) => {
    const place = makeRepository({ 'src/deep/a.txt': 'a' });
    const workspace = workspaceIn(place);
    await workspace.open();
    const before = join(place.folder, '..', 'before');
    const path = join(place.folder, name);
    execFileSync('sh', ['-c', `[ ! -e "$1" ] || mv "$1" "$2"`, 'sh', path, before]);
    putPipe(place, name);
    expect(await workspace.record()).toMatchObject({ reason: 'irregular-file', detail: name });
    rmSync(path);
    execFileSync('sh', ['-c', `[ ! -e "$2" ] || mv "$2" "$1"`, 'sh', path, before]);
    place.write({ 'b.txt': 'b' });
    expect(await workspace.record()).toMatchObject({ kind: 'recorded', files: [{ path: 'b.txt' }] });
  });

  test('keeps nobody waiting where only Huddle would read it: a branch', async () => {
    const place = makeRepository();
    const workspace = workspaceIn(place);
    putPipe(place, '.git/refs/heads/side');
    expect(await workspace.open()).toEqual({ kind: 'new' });
    expect(await workspace.record()).toMatchObject({ kind: 'recorded', files: [] });
  });

  test('is told, and the turn runs', async () => {
    const place = makeRepository({});
    putPipe(place, '.gitignore');
    const stage = await stageFiles(place, [shell('max', 'echo 1 > 1')]);
    await stage.say('[NEXT: max] Go.');
    expect(stage.conversation.snapshot().messages.at(-1)?.content).toBe('done');
    expect(await stage.notices('files-not-recorded')).toMatchObject([
      { reason: 'irregular-file', detail: '.gitignore' },
    ]);
  });

  test('in a folder above, and where a worktree keeps its part, is one as well', async () => {
    const place = makeRepository({ 'sub/a.txt': 'a' });
    putPipe(place, '.gitignore');
    const sub = { ...place, folder: join(place.folder, 'sub') };
    expect(await workspaceIn(sub).open()).toMatchObject({ detail: '../.gitignore' });
    rmSync(join(place.folder, '.gitignore'));
    const tree = join(dirname(place.folder), 'tree');
    place.git('worktree', 'add', '-q', tree);
    putPipe(place, '.git/worktrees/tree/index');
    expect(await workspaceIn({ ...place, folder: tree }).open()).toMatchObject({ reason: 'irregular-file' });
  });
});

test('a socket and a device are no files, either; the one that is always empty is', async () => {
  const place = makePlainFolder({ 'a.txt': 'a' });
  const path = join(place.folder, '.gitattributes');
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await workspaceIn(place).open()).toMatchObject({ detail: '.gitattributes' });
  const repository = makeRepository();
  const exclude = join(repository.folder, '.git/info/exclude');
  rmSync(exclude, { force: true });
  symlinkSync('/dev/zero', exclude);
  expect(await workspaceIn(repository).open()).toMatchObject({ detail: '.git/info/exclude' });
  rmSync(exclude);
  symlinkSync('/dev/null', exclude);
  expect(await workspaceIn(repository).open()).toEqual({ kind: 'new' });
});

function workspaceIn({ folder, dataFolder }: TestFolder) {
  return openWorkspace({ folder, dataFolder, conversationId: 'c', env: { PATH: GIT_ENVIRONMENT.PATH } });
}
