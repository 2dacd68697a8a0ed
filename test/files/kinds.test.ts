import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { readFiles } from './randomTurns.js';
import {
  makePlainFolder,
  makeRepository,
  readEverything,
  type TestFolder,
  testFolder,
} from './repository.js';
import { openTestWorkspace, recordTurn, stepsBack } from './workspaces.js';

const FILES = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' };

/** A kind of repository, and where in it Huddle works. */
const KINDS: Readonly<Record<string, () => TestFolder>> = {
  'a subfolder': () => {
    const outer = makeRepository({
      'top.txt': 'top\n',
      'pa ck/ä/a.txt': 'one\n',
      'pa ck/ä/sub/b.txt': 'two\n',
    });
    return testFolder(join(outer.folder, 'pa ck/ä'), outer.dataFolder);
  },
  'a worktree': () => {
    const main = makeRepository(FILES);
    main.git('worktree', 'add', '-q', '../tree', '-b', 'other');
    return testFolder(join(main.folder, '../tree'), main.dataFolder);
  },
  'a repository without a commit': () => {
    const made = makeRepository({});
    made.write(FILES);
    return made;
  },
  'an index of version 4': () => {
    const made = makeRepository(FILES);
    made.git('update-index', '--index-version=4');
    return made;
  },
  'a split index': () => {
    const made = makeRepository(FILES);
    made.git('update-index', '--split-index');
    return made;
  },
  'an untracked cache': () => {
    const made = makeRepository(FILES);
    made.git('update-index', '--force-untracked-cache');
    made.git('status');
    return made;
  },
  'a sparse checkout': () => {
    const made = makeRepository({ ...FILES, 'away/c.txt': 'three\n' });
    made.git('sparse-checkout', 'set', '--cone', 'sub');
    return made;
  },
  'a sparse index': () => {
    const made = makeRepository({ ...FILES, 'away/far/c.txt': 'three\n' });
    made.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'sub');
    return made;
  },
  'object format sha256': () => makeRepository(FILES, '--object-format=sha256'),
  'assume-unchanged': () => {
    const made = makeRepository(FILES);
    made.git('update-index', '--assume-unchanged', 'a.txt');
    return made;
  },
  'skip-worktree': () => {
    const made = makeRepository(FILES);
    made.git('update-index', '--skip-worktree', 'a.txt');
    return made;
  },
  'a shallow clone': () => {
    const source = makeRepository(FILES);
    const folder = join(makeTemporaryFolder(), 'clone');
    source.git('clone', '-q', '--depth=1', `file://${source.folder}`, folder);
    return testFolder(folder, source.dataFolder);
  },
  'a clone that borrows objects': () => {
    const source = makeRepository(FILES);
    const folder = join(makeTemporaryFolder(), 'clone');
    source.git('clone', '-q', '--shared', source.folder, folder);
    return testFolder(folder, source.dataFolder);
  },
  'colons and quotes in the path': () => {
    const folder = join(makeTemporaryFolder(), 'a:b"c\\d e');
    mkdirSync(folder);
    const made = testFolder(folder, join(makeTemporaryFolder(), 'data:x"y'));
    made.git('init', '-q');
    made.write(FILES);
    made.git('add', '-A');
    made.git('commit', '-q', '-m', 'first');
    return made;
  },
  'a line break in the path': () => {
    const folder = join(makeTemporaryFolder(), 'a\nsha1\nb');
    mkdirSync(folder);
    const made = testFolder(folder, makeTemporaryFolder());
    made.git('init', '-q');
    made.write(FILES);
    made.git('add', '-A');
    made.git('commit', '-q', '-m', 'first');
    return made;
  },
  'a dirty index': () => {
    const made = makeRepository({ ...FILES, 'gone.txt': 'x\n' });
    made.write({ 'a.txt': 'staged\n', 'new.txt': 'staged\n', 'later.txt': '' });
    made.git('add', 'a.txt', 'new.txt');
    made.git('add', '-N', 'later.txt');
    made.git('rm', '-q', '--cached', 'gone.txt');
    made.write({ 'a.txt': 'one\n', 'later.txt': 'announced\n' });
    return made;
  },
  'a conflict in the index': () => {
    const made = makeRepository({ ...FILES, 'c.txt': 'base\n' });
    made.git('checkout', '-q', '-b', 'other');
    made.write({ 'c.txt': 'theirs\n' });
    made.git('commit', '-qam', 'theirs');
    made.git('checkout', '-q', 'main');
    made.write({ 'c.txt': 'ours\n' });
    made.git('commit', '-qam', 'ours');
    expect(() => made.git('merge', '-q', 'other')).toThrow();
    return made;
  },
  'line ends by attribute': () => {
    const made = makeRepository({ ...FILES, '.gitattributes': '*.txt text eol=crlf\n' });
    rmSync(join(made.folder, 'a.txt'));
    made.git('checkout', '-q', '--', '.');
    expect(made.read('a.txt')).toBe('one\r\n');
    return made;
  },
  'an encoding that git does not know': () => {
    const made = makeRepository(FILES);
    made.write({ '.gitattributes': '*.txt working-tree-encoding=nonsense\n' });
    return made;
  },
  'a folder without git': () => makePlainFolder(FILES),
};

describe.each(Object.entries(KINDS))('%s', (_, make) => {
  test('is recorded, with the repository as it was', async () => {
    const folder = make();
    const before = readGitFolders(folder);
    const filesBefore = readFiles(folder.folder);
    const workspace = await openTestWorkspace(folder);
    expect(await recordTurn(workspace, { withPatch: true })).toEqual({ kind: 'recorded', files: [] });
    const sameLength = folder.read('a.txt').replace('one', 'two');
    folder.write({ 'a.txt': sameLength, 'sub/new.txt': 'new\n' });
    rmSync(join(folder.folder, 'sub/b.txt'));
    const { files, patch, git } = await recordTurn(workspace, { withPatch: true });
    expect(files).toMatchObject([
      { path: 'a.txt', change: 'update', added: 1, removed: 1 },
      { path: 'sub/b.txt', change: 'delete', removed: 1 },
      { path: 'sub/new.txt', change: 'add', added: 1 },
    ]);
    expect(files.some(({ isKept }) => isKept === false)).toBe(false);
    expect(patch).toMatch(/^-one\r?\n\+two\r?$/mu);
    expect(patch).toContain('--- a/a.txt\n+++ b/a.txt\n');
    expect(git).toBeUndefined();
    await workspace.carry(await workspace.plan({ steps: stepsBack(files) }));
    expect(readFiles(folder.folder)).toEqual(filesBefore);
    await workspace.close();
    expect(readGitFolders(folder)).toEqual(before);
  });
});

describe('nested repositories', () => {
  test.each([
    ['with a commit', true],
    ['without a commit', false],
  ])('%s are looked into', async (_, hasCommit) => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const inner = nest(folder, 'lib/inner', { 'x.txt': 'x\n', 'y.txt': 'y\n' }, hasCommit);
    const before = readGitFolders(folder);
    const innerBefore = readGitFolders(inner);
    const workspace = await openTestWorkspace(folder, 'c');
    expect((await recordTurn(workspace)).files).toEqual([]);
    inner.write({ 'x.txt': '2\n' });
    folder.write({ 'a.txt': 'two\n' });
    const { files, patch } = await recordTurn(workspace, { withPatch: true });
    expect(files).toMatchObject([{ path: 'a.txt' }, { path: 'lib/inner/x.txt', change: 'update', added: 1 }]);
    expect(patch).toContain('+++ b/lib/inner/x.txt');
    await workspace.close();
    inner.write({ 'z.txt': 'z\n' });
    const later = await openTestWorkspace(folder, 'c');
    expect((await recordTurn(later)).files).toMatchObject([{ path: 'lib/inner/z.txt', change: 'add' }]);
    expect(readGitFolders(folder)).toEqual(before);
    expect(readGitFolders(inner)).toEqual(innerBefore);
  });

  test('that a turn clones are new files', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    nest(folder, 'inner', { 'x.txt': 'x\n' }, true);
    expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'inner/x.txt', change: 'add' }]);
    expect((await recordTurn(workspace)).files).toEqual([]);
  });

  test('that a turn deletes are deleted files', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    nest(folder, 'inner', { 'x.txt': 'x\n' }, true);
    const workspace = await openTestWorkspace(folder);
    rmSync(join(folder.folder, 'inner'), { recursive: true });
    expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'inner/x.txt', change: 'delete' }]);
    expect((await recordTurn(workspace)).files).toEqual([]);
  });

  test('that stop being repositories keep their files, and nothing is said of those', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    nest(folder, 'inner', { 'x.txt': 'x\n', 'y.txt': 'y\n' }, true);
    const workspace = await openTestWorkspace(folder);
    rmSync(join(folder.folder, 'inner/.git'), { recursive: true });
    folder.write({ 'inner/y.txt': 'changed\n' });
    expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'inner/y.txt', change: 'update' }]);
    folder.write({ 'inner/x.txt': 'changed\n' });
    expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'inner/x.txt', change: 'update' }]);
  });

  test('and submodules are the same', async () => {
    const source = makeRepository({ 'x.txt': 'x\n' });
    const folder = makeRepository({ 'a.txt': 'one\n' });
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.folder, 'mod');
    folder.git('commit', '-qm', 'submodule');
    const before = readGitFolders(folder);
    const workspace = await openTestWorkspace(folder);
    expect((await recordTurn(workspace)).files).toEqual([]);
    folder.write({ 'mod/x.txt': 'y\n' });
    expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'mod/x.txt', change: 'update' }]);
    expect(readGitFolders(folder)).toEqual(before);
  });
});

test.runIf(process.getuid?.() === 0)('a repository of another owner is a repository', async () => {
  const outer = makeRepository({ '.gitignore': '*.log\n', 'sub/a.txt': 'one\n' });
  execFileSync('chown', ['-R', '12345', outer.folder]);
  const folder = testFolder(join(outer.folder, 'sub'), outer.dataFolder);
  expect(() => folder.git('status')).toThrow('dubious ownership');
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n', 'x.log': 'ignored by the rules of the top\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt', change: 'update' }]);
});

test('contents that the repository has are not read again at the beginning', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  age(folder);
  folder.git('update-index', '--refresh');
  folder.write({ 'new.txt': 'new\n' });
  await openTestWorkspace(folder);
  const objects = readdirSync(join(folder.dataFolder, 'files/objects'), {
    recursive: true,
    encoding: 'utf8',
  });
  expect(objects.filter((name) => name.includes('/'))).toHaveLength(1);
});

test('a file changed in the second of the index, with its old length and time, is seen', async () => {
  const folder = makeRepository({ 'a.txt': '0\n' });
  const path = join(folder.folder, 'a.txt');
  const write = (text: string): bigint => {
    folder.write({ 'a.txt': text });
    utimesSync(path, 1e9, 1e9);
    return statSync(path, { bigint: true }).ctimeNs / 1_000_000_000n;
  };
  // Once all of it happens within a second, only the time of the index tells.
  for (let second: bigint | undefined; second === undefined || second !== write('two\n'); ) {
    second = write('one\n');
    folder.git('add', 'a.txt');
    utimesSync(join(folder.folder, '.git/index'), 1e9, 1e9);
  }
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'one\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt', change: 'update' }]);
});

test('a folder that became a link, and one that became a loop, are gone with all that was in them', async () => {
  const folder = makeRepository({ 'real/x.txt': 'x\n', 'loop/y.txt': 'y\n', 'other/x.txt': 'x\n' });
  const workspace = await openTestWorkspace(folder);
  for (const name of ['real', 'loop']) rmSync(join(folder.folder, name), { recursive: true });
  symlinkSync('other', join(folder.folder, 'real'));
  symlinkSync('loop', join(folder.folder, 'loop'));
  expect((await recordTurn(workspace)).files).toMatchObject([
    { path: 'loop', change: 'add', after: { mode: '120000' } },
    { path: 'loop/y.txt', change: 'delete' },
    { path: 'real', change: 'add', after: { mode: '120000' } },
    { path: 'real/x.txt', change: 'delete' },
  ]);
  expect((await recordTurn(workspace)).files).toEqual([]);
});

test('a pipe in the place of a file is a file that is gone, and nobody waits for it', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  rmSync(join(folder.folder, 'a.txt'));
  execFileSync('mkfifo', [join(folder.folder, 'a.txt')]);
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt', change: 'delete' }]);
  expect((await recordTurn(workspace)).files).toEqual([]);
});

test('when the whole folder is gone, so are its files; and they come back', async () => {
  const folder = makePlainFolder({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  rmSync(folder.folder, { recursive: true });
  expect((await recordTurn(workspace, { withPatch: true })).files).toMatchObject([
    { path: 'a.txt', change: 'delete' },
  ]);
  folder.write({ 'a.txt': 'one\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt', change: 'add' }]);
});

test('the rights to execute are a change, the other rights are none', async () => {
  const folder = makeRepository({ 'a.sh': 'x\n', 'b.sh': 'x\n' });
  const workspace = await openTestWorkspace(folder);
  chmodSync(join(folder.folder, 'a.sh'), 0o755);
  chmodSync(join(folder.folder, 'b.sh'), 0o600);
  const { files } = await recordTurn(workspace, { withPatch: true });
  expect(files).toMatchObject([{ path: 'a.sh', before: { mode: '100644' }, after: { mode: '100755' } }]);
});

test('what core.fileMode says of the file system holds', async () => {
  const folder = makeRepository({ 'a.sh': 'x\n' });
  folder.git('config', 'core.fileMode', 'false');
  const workspace = await openTestWorkspace(folder);
  chmodSync(join(folder.folder, 'a.sh'), 0o755);
  expect((await recordTurn(workspace)).files).toEqual([]);
});

function nest(
  folder: TestFolder,
  path: string,
  files: Record<string, string>,
  hasCommit: boolean,
): TestFolder {
  mkdirSync(join(folder.folder, path), { recursive: true });
  const inner = testFolder(join(folder.folder, path), folder.dataFolder);
  inner.git('init', '-q');
  inner.write(files);
  if (hasCommit) {
    inner.git('add', '-A');
    inner.git('commit', '-qm', 'first');
  }
  return inner;
}

/** Lets all files look as if they were written long before the index. */
function age({ folder }: TestFolder): void {
  for (const name of readdirSync(folder)) if (name !== '.git') utimesSync(join(folder, name), 1e9, 1e9);
}

/** Everything in the repository that a folder belongs to, wherever that is. */
function readGitFolders({ git }: TestFolder): Record<string, string> {
  try {
    const place = git('rev-parse', '--path-format=absolute', '--git-common-dir').replace(/\n$/u, '');
    return readEverything(place);
  } catch {
    return {}; // A folder without git.
  }
}
