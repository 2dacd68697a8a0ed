import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CopyRequest, RecordedFolder, Workspace } from '../../src/files/Workspace.js';
import type { MemberId } from '../../src/models/ids.js';
import { isFull } from '../soak/isFull.js';
import { readFiles } from './randomTurns.js';
import {
  makePlainFolder,
  makeRepository,
  readEverything,
  runTestGit,
  type TestFolder,
  testFolder,
} from './repository.js';
import { actionsOf, openTestWorkspace, recordTurn, stepsBack, stepsOf } from './workspaces.js';

const ADA = 'ada' as MemberId;
const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Ends of the titles: the promise is kept again and again. */
const ROUNDS = isFull ? Array.from({ length: 40 }, (_, index) => ` (${index + 1})`) : [''];

interface TestCopy extends TestFolder {
  readonly memberId: MemberId;
  readonly isNew: boolean;
  readonly behind: readonly string[];
}

/** The copy of a member, made or brought up to date. */
async function copyOf(
  workspace: Workspace,
  name: string,
  options: Omit<CopyRequest, 'memberId'> = {},
): Promise<TestCopy> {
  const memberId = name as MemberId;
  const result = await workspace.copyFor({ memberId, ...options });
  if (result.kind === 'not-ready') throw new Error(result.detail);
  const { folder, isNew, behind } = result;
  return { ...testFolder(folder, ''), memberId, isNew, behind };
}

describe.each([
  ['a repository', makeRepository],
  ['a folder without git', makePlainFolder],
])('a copy of %s', (_, make) => {
  test('starts from what is there, uncommitted work included, and what is done in it stays in it', async () => {
    const folder = make({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'run.sh': '#!/bin/sh\n' });
    chmodSync(join(folder.folder, 'run.sh'), 0o755);
    symlinkSync('a.txt', join(folder.folder, 'link'));
    folder.write({ 'a.txt': 'changed\n', 'new.txt': 'new\n' });
    const workspace = await openTestWorkspace(folder);
    const before = readEverything(folder.folder);
    const copy = await copyOf(workspace, 'ada');
    expect(copy).toMatchObject({ isNew: true, behind: [] });
    expect(readFiles(copy.folder)).toEqual(readFiles(folder.folder));
    expect(await recordTurn(workspace, { copyOf: ADA })).toEqual({ kind: 'recorded', files: [] });
    copy.write({ 'a.txt': 'by ada\n', 'c.txt': 'by ada\n' });
    rmSync(join(copy.folder, 'sub'), { recursive: true });
    const turn = await recordTurn(workspace, { copyOf: ADA, withPatch: true });
    expect(turn.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'update a.txt',
      'add c.txt',
      'delete sub/b.txt',
    ]);
    expect(turn.patch).toContain('-changed\n+by ada\n');
    expect(readEverything(folder.folder)).toEqual(before);
    expect((await recordTurn(workspace)).files).toEqual([]);
  });

  test('is brought up to date; files that both changed in the same lines stay and are named until they agree', async () => {
    const folder = make({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': 'old\n', 'd.txt': 'd\n' });
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    copy.write({ 'a.txt': LINES.replace('one', 'ADA'), 'b.txt': LINES.replace('one', 'ADA') });
    await recordTurn(workspace, { copyOf: ADA });
    folder.write({
      'a.txt': LINES.replace('seven', 'KIM'),
      'b.txt': LINES.replace('one', 'KIM'),
      'new/e.txt': 'e\n',
    });
    rmSync(join(folder.folder, 'd.txt'));
    await recordTurn(workspace);
    const again = await copyOf(workspace, 'ada');
    expect(again).toMatchObject({ isNew: false, folder: copy.folder, behind: ['b.txt'] });
    expect(readFiles(copy.folder)).toMatchObject({
      'a.txt': `file ${LINES.replace('one', 'ADA').replace('seven', 'KIM')}`,
      'b.txt': `file ${LINES.replace('one', 'ADA')}`,
      'new/e.txt': 'file e\n',
    });
    expect(existsSync(join(copy.folder, 'd.txt'))).toBe(false);
    expect(await recordTurn(workspace, { copyOf: ADA })).toEqual({ kind: 'recorded', files: [] });
    expect(await copyOf(workspace, 'ada')).toMatchObject({ behind: ['b.txt'] });
    copy.write({ 'b.txt': LINES.replace('one', 'KIM') });
    expect(await copyOf(workspace, 'ada')).toMatchObject({ behind: [] });
  });

  test('that was deleted is made again as it was recorded, and up to date', async () => {
    const folder = make({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const first = await openTestWorkspace(folder, 'same');
    const copy = await copyOf(first, 'ada');
    copy.write({ 'a.txt': 'by ada\n' });
    await recordTurn(first, { copyOf: ADA });
    await first.close();
    rmSync(copy.folder, { recursive: true });
    folder.write({ 'b.txt': 'two\n' });
    const second = await openTestWorkspace(folder, 'same');
    await recordTurn(second);
    expect(await copyOf(second, 'ada')).toMatchObject({ folder: copy.folder, isNew: true, behind: [] });
    expect(readFiles(copy.folder)).toEqual({ 'a.txt': 'file by ada\n', 'b.txt': 'file two\n' });
    expect((await recordTurn(second, { copyOf: ADA })).files).toEqual([]);
  });

  test('is found by a later process, with what was changed in it meanwhile', async () => {
    const folder = make({ 'a.txt': 'one\n' });
    const first = await openTestWorkspace(folder, 'same');
    const copy = await copyOf(first, 'ada');
    await first.close();
    copy.write({ 'a.txt': 'killed before it was recorded\n' });
    const second = await openTestWorkspace(folder, 'same');
    expect((await recordTurn(second, { copyOf: ADA })).files).toMatchObject([
      { path: 'a.txt', change: 'update' },
    ]);
  });

  test('belongs to one conversation; the next one gets it when it is let go, made anew', async () => {
    const folder = make({ 'a.txt': 'one\n' });
    const first = await openTestWorkspace(folder, 'first');
    const copy = await copyOf(first, 'ada');
    copy.write({ 'a.txt': 'by ada\n', 'left.txt': 'left\n' });
    const second = await openTestWorkspace(folder, 'second');
    const other = await copyOf(second, 'ada');
    expect(other.folder).not.toBe(copy.folder);
    await first.close();
    await second.close();
    const third = await openTestWorkspace(folder, 'third');
    expect((await copyOf(third, 'ada')).folder).toBe(copy.folder);
    expect(readFiles(copy.folder)).toEqual({ 'a.txt': 'file one\n' });
  });
});

describe('a copy', () => {
  test('gets the ignored files that .worktreeinclude names, and nothing in it leads back', async () => {
    const folder = makeRepository({
      '.gitignore': '.env\nbuild/\nnode_modules/\n',
      '.worktreeinclude': '.env\nnode_modules/\n',
    });
    folder.write({ '.env': 'KEY=1\n', 'build/out': 'x', 'node_modules/p/index.js': 'p\n' });
    symlinkSync(join(folder.folder, 'node_modules/p'), join(folder.folder, 'node_modules/q'));
    symlinkSync('../p/index.js', join(folder.folder, 'node_modules/relative'));
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    expect(copy.read('.env')).toBe('KEY=1\n');
    expect(copy.read('node_modules/q/index.js')).toBe('p\n');
    expect(readlinkSync(join(copy.folder, 'node_modules/q'))).toBe(join(copy.folder, 'node_modules/p'));
    expect(readlinkSync(join(copy.folder, 'node_modules/relative'))).toBe('../p/index.js');
    expect(existsSync(join(copy.folder, 'build'))).toBe(false);
    copy.write({ 'node_modules/q/index.js': 'by ada\n' });
    expect(folder.read('node_modules/p/index.js')).toBe('p\n');
  });

  test('is prepared once; what that makes is no change of a turn', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const prepare = async (place: string): Promise<undefined> =>
      appendFileSync(join(place, 'installed.txt'), 'installed\n') as undefined;
    const copy = await copyOf(workspace, 'ada', { prepare });
    expect((await recordTurn(workspace, { copyOf: ADA })).files).toEqual([]);
    await copyOf(workspace, 'ada', { prepare });
    expect(copy.read('installed.txt')).toBe('installed\n');
  });

  test('whose preparation fails is not ready, says why, and is tried again', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const prepare = async () => ({ detail: 'sh: ended with code 3\nno lock file' });
    const result = await workspace.copyFor({ memberId: ADA, prepare });
    expect(result).toEqual({ kind: 'not-ready', detail: 'sh: ended with code 3\nno lock file' });
    expect(await copyOf(workspace, 'ada')).toMatchObject({ isNew: true });
  });

  test('of a subfolder of a repository has the whole repository', async () => {
    const whole = makeRepository({ 'sub/a.txt': 'one\n', 'b.txt': 'one\n' });
    const folder = { ...whole, folder: join(whole.folder, 'sub') };
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    expect(copy.read('a.txt')).toBe('one\n');
    expect(copy.read('../b.txt')).toBe('one\n');
    expect(copy.git('status', '--porcelain')).toBe('');
    copy.write({ 'a.txt': 'two\n' });
    expect((await recordTurn(workspace, { copyOf: ADA })).files).toMatchObject([{ path: 'a.txt' }]);
    whole.write({ 'sub/new.txt': 'new\n' });
    await recordTurn(workspace);
    await copyOf(workspace, 'ada');
    expect(copy.read('new.txt')).toBe('new\n');
  });

  test('of a worktree works as that of a repository', async () => {
    const main = makeRepository({ 'a.txt': 'one\n' });
    const folder = join(main.folder, '../worktree');
    main.git('worktree', 'add', '-q', '-b', 'side', folder);
    const workspace = await openTestWorkspace({ folder, dataFolder: main.dataFolder });
    const copy = await copyOf(workspace, 'ada');
    expect(copy.git('branch', '--show-current').trim()).toBe('side');
    expect(copy.git('status', '--porcelain')).toBe('');
  });

  test('has what is staged, and follows the branches of the user until it has its own', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    folder.git('remote', 'add', 'origin', 'https://user:password@example.org/x.git');
    folder.git('config', 'user.name', 'Kim "the" User');
    folder.write({ 'a.txt': 'two\n', 'b.txt': 'two\n' });
    folder.git('add', 'a.txt');
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    expect(copy.git('status', '--porcelain')).toBe('M  a.txt\n M b.txt\n');
    expect(copy.git('config', 'user.name')).toBe('Kim "the" User\n');
    expect(copy.git('remote')).toBe('');
    expect(readFileSync(join(copy.folder, '.git/config'), 'utf8')).not.toContain('password');
    folder.git('switch', '-q', '-c', 'next');
    folder.git('commit', '-q', '-a', '-m', 'second');
    await recordTurn(workspace);
    await copyOf(workspace, 'ada');
    expect(copy.git('log', '--format=%D', '-1')).toBe('HEAD -> next\n');
    expect(copy.git('status', '--porcelain')).toBe('');
    copy.git('commit', '-q', '--allow-empty', '-m', 'by ada');
    folder.git('commit', '-q', '--allow-empty', '-m', 'third');
    await copyOf(workspace, 'ada');
    expect(copy.git('log', '--format=%s', '-1')).toBe('by ada\n');
  });

  test('has the repositories that are nested in the folder, each with one of its own', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const nested = nest(folder, 'parts/inner', { 'b.txt': LINES, 'deep/c.txt': 'one\n' });
    nested.write({ 'b.txt': LINES.replace('four', '4'), 'new.txt': 'new\n' });
    const workspace = await openTestWorkspace(folder);
    const before = readEverything(folder.folder);
    const copy = await copyOf(workspace, 'ada');
    const inner = testFolder(join(copy.folder, 'parts/inner'), '');
    expect(readFiles(inner.folder)).toEqual(readFiles(nested.folder));
    expect(inner.git('status', '--porcelain')).toBe(' M b.txt\n?? new.txt\n');
    expect(await recordTurn(workspace, { copyOf: ADA })).toEqual({ kind: 'recorded', files: [] });
    inner.write({ 'b.txt': LINES.replace('four', '4').replace('one', 'ADA') });
    rmSync(join(inner.folder, 'deep'), { recursive: true });
    inner.git('commit', '-q', '-a', '-m', 'by ada');
    const turn = await recordTurn(workspace, { copyOf: ADA, withPatch: true });
    expect(turn.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'update parts/inner/b.txt',
      'delete parts/inner/deep/c.txt',
    ]);
    expect(readEverything(folder.folder)).toEqual(before);
    nested.write({ 'b.txt': LINES.replace('four', '4').replace('seven', 'KIM'), 'new.txt': 'newer\n' });
    await recordTurn(workspace);
    expect(await copyOf(workspace, 'ada')).toMatchObject({ isNew: false, behind: [] });
    expect(inner.read('b.txt')).toBe('ADA\ntwo\nthree\n4\nfive\nsix\nKIM\n');
    expect(inner.read('new.txt')).toBe('newer\n');
    expect((await recordTurn(workspace, { copyOf: ADA })).files).toEqual([]);
    const plan = await workspace.plan({ steps: stepsOf(turn.files) });
    expect(actionsOf(plan)).toEqual({ 'parts/inner/b.txt': 'merge', 'parts/inner/deep/c.txt': 'remove' });
    await workspace.carry(plan);
    expect(nested.read('b.txt')).toBe('ADA\ntwo\nthree\n4\nfive\nsix\nKIM\n');
  });

  test('gets a nested repository that comes later, and has it still in a later process', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const first = await openTestWorkspace(folder, 'same');
    const copy = await copyOf(first, 'ada');
    nest(folder, 'inner', { 'b.txt': 'one\n' });
    await recordTurn(first);
    expect(await copyOf(first, 'ada')).toMatchObject({ behind: [] });
    expect(copy.read('inner/b.txt')).toBe('one\n');
    await first.close();
    const second = await openTestWorkspace(folder, 'same');
    expect((await recordTurn(second, { copyOf: ADA })).files).toEqual([]);
    copy.write({ 'inner/b.txt': 'by ada\n' });
    expect((await recordTurn(second, { copyOf: ADA })).files).toMatchObject([{ path: 'inner/b.txt' }]);
    expect(await copyOf(second, 'ada')).toMatchObject({ behind: [] });
    rmSync(copy.folder, { recursive: true });
    expect(await copyOf(second, 'ada')).toMatchObject({ isNew: true, behind: [] });
    expect(copy.read('inner/b.txt')).toBe('by ada\n');
  });

  test('has submodules', async () => {
    const library = makeRepository({ 'lib.txt': 'one\n' });
    const folder = makeRepository({ 'a.txt': 'one\n' });
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib');
    folder.git('commit', '-q', '-m', 'with a submodule');
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    expect(copy.read('lib/lib.txt')).toBe('one\n');
    expect(copy.git('status', '--porcelain')).toBe('');
    copy.write({ 'lib/lib.txt': 'by ada\n' });
    expect((await recordTurn(workspace, { copyOf: ADA })).files).toMatchObject([{ path: 'lib/lib.txt' }]);
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  test('can be undone', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const copy = await copyOf(workspace, 'ada');
    copy.write({ 'a.txt': 'by ada\n' });
    const turn = await recordTurn(workspace, { copyOf: ADA });
    await workspace.carry(await workspace.plan({ copyOf: ADA, steps: stepsBack(turn.files) }));
    expect(copy.read('a.txt')).toBe('one\n');
    expect(folder.read('a.txt')).toBe('one\n');
  });
});

test.each(ROUNDS)(
  'three members do what they like in their copies; what is applied is merged or refused%s',
  async () => {
    const folder = makeRepository({ 'a.txt': LINES, 'b.txt': 'one\n' });
    folder.write({ 'b.txt': 'stashed\n' });
    folder.git('stash', '-q');
    folder.write({ 'a.txt': LINES.replace('four', '4'), 'new.txt': 'mine\n' });
    folder.git('add', 'new.txt');
    const workspace = await openTestWorkspace(folder);
    const before = readEverything(folder.folder);
    const turns: RecordedFolder[] = [];
    for (const [index, name] of ['ada', 'bob', 'eve'].entries()) {
      const copy = await copyOf(workspace, name);
      expect(copy.read('a.txt')).toBe(LINES.replace('four', '4'));
      makeTrouble(copy);
      const line = ['one', 'seven', 'one'][index] ?? '';
      copy.write({ 'a.txt': LINES.replace('four', '4').replace(line, name), [`${name}.txt`]: `${name}\n` });
      turns.push(await recordTurn(workspace, { copyOf: copy.memberId }));
    }
    expect(withoutObjectTimes(readEverything(folder.folder))).toEqual(withoutObjectTimes(before));
    expect(folder.git('stash', 'list')).toContain('stash@{0}');

    const [ada, bob, eve] = turns.map(({ files }) => workspace.plan({ steps: stepsOf(files) }));
    const first = await ada;
    expect(actionsOf(first ?? { files: [] })).toEqual({ 'a.txt': 'write', 'ada.txt': 'write' });
    await Promise.all([bob, eve]);
    if (first !== undefined) await workspace.carry(first);
    const second = await workspace.plan({ steps: stepsOf(turns[1]?.files ?? []) });
    expect(actionsOf(second)).toEqual({ 'a.txt': 'merge', 'bob.txt': 'write' });
    await workspace.carry(second);
    const third = await workspace.plan({ steps: stepsOf(turns[2]?.files ?? []) });
    expect(actionsOf(third)).toEqual({ 'a.txt': 'conflict', 'eve.txt': 'write' });
    expect(folder.read('a.txt')).toBe('ada\ntwo\nthree\n4\nfive\nsix\nbob\n');
    expect(existsSync(join(folder.folder, 'eve.txt'))).toBe(false);
  },
);

/** A repository in a folder, with these files committed. */
function nest(folder: TestFolder, name: string, files: Readonly<Record<string, string>>): TestFolder {
  const nested = testFolder(join(folder.folder, name), '');
  nested.write(files);
  nested.git('init', '-q', '-b', 'main');
  nested.git('add', '-A');
  nested.git('commit', '-q', '-m', 'first');
  return nested;
}

/** Everything that an agent may do with the git of its folder. */
function makeTrouble(copy: TestCopy): void {
  copy.git('add', '-A');
  copy.git('commit', '-q', '-m', 'by an agent');
  copy.write({ 'a.txt': 'stashed by an agent\n' });
  copy.git('stash', '-q');
  copy.git('stash', 'drop', '-q');
  copy.git('branch', 'of-an-agent');
  copy.git('tag', 'of-an-agent');
  copy.git('reset', '-q', '--hard', 'HEAD~1');
  copy.git('reflog', 'expire', '--expire=now', '--all');
  copy.git('gc', '-q', '--prune=now');
  copy.git('config', 'core.hooksPath', '/nowhere');
  mkdirSync(join(copy.folder, '.git/hooks'), { recursive: true });
  writeFileSync(join(copy.folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  copy.git('worktree', 'list');
  runTestGit(copy.folder, ['checkout', '-q', 'of-an-agent', '--', '.']);
}

/** Their own git may renew the times of the contents that they borrow. */
function withoutObjectTimes(found: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(found).map(([path, text]): [string, string] => {
    return [path, path.startsWith('.git/objects/') ? text.replace(/ \d+ /u, ' ') : text];
  });
  return Object.fromEntries(entries);
}
