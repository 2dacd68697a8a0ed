import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { makeRepository, readEverything, type TestFolder, testFolder } from './repository.js';
import { openTestWorkspace, recordTurn, stepsBack } from './workspaces.js';

const HOOKS = [
  'post-index-change',
  'pre-commit',
  'post-checkout',
  'reference-transaction',
  'fsmonitor-watchman',
];

test('nothing of a hostile repository runs', { timeout: 60_000 }, async () => {
  const marks = makeTemporaryFolder();
  const outer = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const inner = makeInner(outer);
  for (const folder of [outer, inner]) makeHostile(folder, marks);
  const before = readEverything(outer.folder);
  const workspace = await openTestWorkspace(outer, 'c');
  expect(readEverything(outer.folder)).toEqual(before);
  for (const folder of [outer, inner]) folder.write({ 'a.txt': 'changed\n', 'new.txt': 'new\n' });
  const { files } = await recordTurn(workspace, { withPatch: true });
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'inner/a.txt', 'inner/new.txt', 'new.txt']);
  await workspace.patch(files, { withBinary: true });
  await workspace.carry(await workspace.plan({ steps: stepsBack(files) }));
  await recordTurn(workspace);
  await workspace.close();
  await recordTurn(await openTestWorkspace(outer, 'c'));
  expect(readdirSync(marks)).toEqual([]);
  // The control: what a plain look of git does here.
  runQuietly(outer, 'status');
  expect(readdirSync(marks)).not.toEqual([]);
});

test('a repository that says it is elsewhere is none', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  folder.git('config', 'core.worktree', '/etc');
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n' });
  expect((await recordTurn(workspace)).files).toMatchObject([{ path: 'a.txt', change: 'update' }]);
});

function makeInner(outer: TestFolder): TestFolder {
  mkdirSync(join(outer.folder, 'inner'));
  const inner = testFolder(join(outer.folder, 'inner'), outer.dataFolder);
  inner.git('init', '-q');
  inner.write({ 'a.txt': 'one\n' });
  inner.git('add', '-A');
  inner.git('commit', '-qm', 'first');
  return inner;
}

/** Everything by which a repository can have programs run; each would leave a mark. */
function makeHostile(folder: TestFolder, marks: string): void {
  const program = (name: string): string => {
    const path = join(folder.folder, '.git', `mark-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, name)}'\ncat 2>/dev/null\nexit 0\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const hooks = join(folder.folder, '.git', 'bad-hooks');
  mkdirSync(hooks);
  for (const name of HOOKS) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch '${join(marks, `hook-${name}`)}'\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  folder.write({ '.gitattributes': '* filter=bad diff=bad merge=bad\n' });
  const settings: Readonly<Record<string, string>> = {
    'core.fsmonitor': program('fsmonitor'),
    'core.hooksPath': hooks,
    'core.sshCommand': program('ssh'),
    'core.pager': program('pager'),
    'core.editor': program('editor'),
    'core.alternateRefsCommand': program('alternateRefs'),
    'filter.bad.clean': program('clean'),
    'filter.bad.smudge': program('smudge'),
    'filter.bad.process': program('process'),
    'filter.bad.required': 'true',
    'diff.bad.textconv': program('textconv'),
    'diff.bad.command': program('differ'),
    'diff.external': program('external'),
    'merge.bad.driver': program('merge'),
    'alias.diff-files': `!${program('alias')}`,
    'uploadpack.packObjectsHook': program('packObjects'),
  };
  for (const [name, value] of Object.entries(settings)) folder.git('config', name, value);
  expect(existsSync(hooks)).toBe(true);
}

function runQuietly(folder: TestFolder, ...args: string[]): void {
  try {
    folder.git(...args);
  } catch {
    // A hostile repository may well fail; the mark is what counts.
  }
}
