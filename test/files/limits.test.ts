import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspaceOptions } from '../../src/files/GitWorkspace.js';
import { findGit } from '../../src/files/git/runGit.js';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { Workspace } from '../../src/files/Workspace.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { isFull } from '../soak/isFull.js';
import { GIT_ENVIRONMENT, makePlainFolder, makeRepository, type TestFolder } from './repository.js';

const { PATH } = GIT_ENVIRONMENT;

describe('nothing is recorded', () => {
  test('in the home folder and above it', async () => {
    const { folder, dataFolder } = makePlainFolder();
    const home = join(folder, 'home/kim');
    mkdirSync(home, { recursive: true });
    const wide = { kind: 'not-recorded', reason: 'wide-folder', isFinal: true };
    const openIn = (place: string) =>
      openWorkspace({
        folder: place,
        dataFolder,
        conversationId: 'c',
        env: { PATH, HOME: home },
      }).open();
    expect(await openIn(home)).toEqual(wide);
    expect(await openIn(dirname(home))).toEqual(wide);
    expect(await openIn('/')).toEqual(wide);
    const project = join(home, 'project');
    mkdirSync(project);
    expect(await openIn(project)).toEqual({ kind: 'new' });
  });

  test('without git, and with one that is too old', async () => {
    const folder = makePlainFolder({ 'a.txt': 'one\n' });
    const none = workspaceIn(folder, { env: { PATH: makeTemporaryFolder() } });
    expect(await none.record()).toEqual({ kind: 'not-recorded', reason: 'no-git', isFinal: true });
    const old = workspaceIn(folder, { env: { PATH: standIn('echo git version 2.30.1') } });
    expect(await old.open()).toEqual({
      kind: 'not-recorded',
      reason: 'old-git',
      detail: '2.30.1',
      isFinal: true,
    });
  });

  test.each([
    ['the project', makePlainFolder, ''],
    ['the repository around the folder', makeRepository, 'sub'],
  ])('with a git that %s brings along', async (_title, make, sub) => {
    const place = make({ 'sub/a.txt': 'one\n' });
    const bin = join(place.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const workspace = workspaceIn({ ...place, folder: join(place.folder, sub) }, { env: { PATH: bin } });
    expect(await workspace.open()).toMatchObject({ reason: 'no-git' });
  });

  test('by a git that finds programs of the project', async () => {
    const { folder } = makeRepository();
    const found = await findGit(`${join(folder, 'bin')}:relative:${PATH}`, folder);
    expect(found).toMatchObject({ kind: 'found', git: { path: PATH } });
  });

  test('when somebody stops the first look', async () => {
    const folder = makeRepository();
    const workspace = workspaceIn(folder);
    const stopped = { kind: 'not-recorded', reason: 'stopped', isFinal: true };
    expect(await workspace.open({ signal: AbortSignal.abort() })).toMatchObject(stopped);
    expect(await workspace.record()).toMatchObject(stopped);
  });

  test('with a git that does not even say its version', async () => {
    const path = standIn('while :; do sleep 1; done');
    expect(await findGit(path, undefined, { milliseconds: 200 })).toEqual({
      kind: 'broken',
      detail: 'git --version did not finish in 0.2 s',
    });
  });

  test('after three looks that took too long; each time before, the next is tried', async () => {
    const folder = makeRepository();
    const slow = standIn('case "$*" in *diff-files*) while :; do sleep 1; done;; esac; exec "$REAL" "$@"');
    const workspace = workspaceIn(folder, { env: { PATH: slow }, firstMs: 300 });
    const result = { kind: 'not-recorded', reason: 'too-slow', detail: '0.3 s' };
    expect(await workspace.open()).toEqual({ ...result, isFinal: false });
    expect(await workspace.record()).toEqual({ ...result, isFinal: false });
    expect(await workspace.record()).toEqual({ ...result, isFinal: true });
    expect(await workspace.record()).toEqual({ ...result, isFinal: true });
  });
});

describe('a record that fails', () => {
  test('gives no list, and the next one covers its time', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const switchFile = join(makeTemporaryFolder(), 'fail');
    const git = standIn(
      `[ -e '${switchFile}' ] && case "$*" in *update-index*) echo 'fatal: No space left on device' >&2; exit 128;; esac; exec "$REAL" "$@"`,
    );
    const workspace = workspaceIn(folder, { env: { PATH: git } });
    await workspace.open();
    writeFileSync(switchFile, '');
    folder.write({ 'a.txt': 'two\n' });
    expect(await workspace.record()).toEqual({
      kind: 'not-recorded',
      reason: 'disk-full',
      detail: 'fatal: No space left on device',
      isFinal: false,
    });
    chmodSync(switchFile, 0o644);
    const healthy = workspaceIn(folder, {});
    expect(await healthy.open()).toEqual({ kind: 'known' });
    folder.write({ 'b.txt': 'b\n' });
    const record = await healthy.record();
    expect(record).toMatchObject({ kind: 'recorded', files: [{ path: 'a.txt' }, { path: 'b.txt' }] });
  });

  test('on a full disk makes room again, and blames no file', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    const switchFile = join(makeTemporaryFolder(), 'fail');
    // The words and the draft that git leaves when the disk is full.
    const git = standIn(
      `[ -e '${switchFile}' ] && case "$*" in *update-index*) mkdir -p "$GIT_OBJECT_DIRECTORY/a6"; echo draft >"$GIT_OBJECT_DIRECTORY/a6/tmp_obj_$$"; printf '%s\n' 'error: unable to write loose object file: No space left on device' 'error: a.txt: failed to insert into database' 'fatal: Unable to process path a.txt' >&2; exit 128;; esac; exec "$REAL" "$@"`,
    );
    const workspace = workspaceIn(folder, { env: { PATH: git } });
    await workspace.open();
    writeFileSync(switchFile, '');
    folder.write({ 'a.txt': 'two\n' });
    expect(await workspace.record()).toMatchObject({
      kind: 'not-recorded',
      reason: 'disk-full',
      isFinal: false,
    });
    const objects = readdirSync(join(folder.dataFolder, 'files', 'objects'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(objects.filter((name) => name.includes('tmp_obj'))).toEqual([]);
    rmSync(switchFile);
    expect(await workspace.record()).toMatchObject({
      kind: 'recorded',
      files: [{ path: 'a.txt', change: 'update' }],
    });
  });

  test('for one file that cannot be read names it, and the others count', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
    // As root every file can be read; this git cannot read one.
    const git = standIn(
      'case "$*" in *update-index*--stdin*) cat >"$0.$$"; if tr "\\0" "\\n" <"$0.$$" | grep -qx b.txt; then echo "fatal: Unable to process path b.txt" >&2; exit 128; fi; exec "$REAL" "$@" <"$0.$$";; esac; exec "$REAL" "$@"',
    );
    const workspace = workspaceIn(folder, { env: { PATH: git } });
    await workspace.open();
    folder.write({ 'a.txt': 'two\n', 'b.txt': 'unread\n', 'c.txt': 'two\n', 'd.txt': 'two\n' });
    const record = await workspace.record();
    expect(record).toMatchObject({
      kind: 'recorded',
      files: [
        { path: 'a.txt' },
        { path: 'b.txt', change: 'update', isKept: false },
        { path: 'c.txt' },
        { path: 'd.txt' },
      ],
    });
    expect(await workspace.record()).toMatchObject({ files: [] });
  });
});

test.runIf(isFull)(
  'of many files the first ten thousand are listed, the others counted',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = makePlainFolder();
    const workspace = workspaceIn(folder);
    await workspace.open();
    folder.write(Object.fromEntries(Array.from({ length: 10_003 }, (_, index) => [`f${index}`, `${index}`])));
    const record = await workspace.record();
    expect(record).toMatchObject({ kind: 'recorded', unlisted: 3 });
    expect(record.kind === 'recorded' && record.files.length).toBe(10_000);
  },
);

test('a known state that is damaged is made anew, and that is said once', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const first = workspaceIn(folder);
  await first.open();
  await first.close();
  const folders = join(folder.dataFolder, 'files/folders');
  const [name = ''] = readdirSync(folders);
  writeFileSync(join(folders, name, 'index-c'), 'nonsense');
  const workspace = workspaceIn(folder);
  expect(await workspace.record()).toMatchObject({ kind: 'not-recorded', reason: 'failed', isFinal: false });
  expect(await workspace.record()).toEqual({ kind: 'recorded', files: [] });
  folder.write({ 'a.txt': 'two\n' });
  expect(await workspace.record()).toMatchObject({ files: [{ path: 'a.txt' }] });
});

test('a record that nobody has written down is made again by the next process', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const killed = workspaceIn(folder);
  await killed.open();
  folder.write({ 'a.txt': 'two\n' });
  const first = await killed.record();
  // No close: this process is gone as far as the next one can tell.
  const next = workspaceIn(folder);
  expect(await next.open()).toEqual({ kind: 'known' });
  expect(await next.record()).toEqual(first);
  await next.close();
  const last = workspaceIn(folder);
  expect(await last.record()).toEqual({ kind: 'recorded', files: [] });
});

function workspaceIn({ folder, dataFolder }: TestFolder, options: Partial<WorkspaceOptions> = {}): Workspace {
  return openWorkspace({ folder, dataFolder, conversationId: 'c', env: { PATH }, ...options });
}

/** A PATH that leads to a git of our own; `$REAL` is the real one. */
function standIn(script: string): string {
  const folder = makeTemporaryFolder();
  const real = PATH.split(':')
    .map((place) => join(place, 'git'))
    .join(' ');
  const find = `for REAL in ${real}; do [ -x "$REAL" ] && break; done`;
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${find}\n${script}\n`, { mode: 0o755 });
  return `${folder}:${PATH}`;
}
