import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../store/bundleProgram.js';
import { GIT_ENVIRONMENT, makeRepository, type TestFolder } from './repository.js';

/** Somebody who owns nothing here. */
const NOBODY = 65_534;

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('otherUserProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

interface OtherUser {
  record(): Promise<unknown>;
  undo(): Promise<unknown>;
}

/** A process for which the rights of files count: of another user where we are root. */
function workAs(place: TestFolder): OtherUser {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dirname(place.folder)]);
  const { PATH, HOME } = GIT_ENVIRONMENT;
  const child = spawn(
    process.execPath,
    [program, place.folder, place.dataFolder, ...(isRoot ? [String(NOBODY)] : [])],
    { env: { PATH, HOME }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const ask = async (order: string): Promise<unknown> => {
    const answer = once(lines, 'line');
    child.stdin.write(`${order}\n`);
    const [line] = await answer;
    return JSON.parse(String(line));
  };
  return { record: () => ask('record'), undo: () => ask('undo') };
}

/** Closes a file or a folder, until the end of the test or until it is opened again. */
function close({ folder }: TestFolder, path: string, mode: number): () => void {
  const open = (): void => chmodSync(join(folder, path), 0o755);
  chmodSync(join(folder, path), mode);
  onTestFinished(open);
  return open;
}

const closed = { code: 'FILES_NOT_WRITTEN', facts: { reason: { errno: 'EACCES' }, isPartial: false } };

test.each(['sub', '.'])(
  'undo: the folder %s that is closed to us is noticed before anything is touched',
  async (path) => {
    const place = makeRepository({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n' });
    const other = workAs(place);
    await other.record();
    place.write({ 'a.txt': 'two\n', 'sub/b.txt': 'two\n' });
    expect(await other.record()).toMatchObject({ files: [{ path: 'a.txt' }, { path: 'sub/b.txt' }] });
    const open = close(place, path, 0o500);
    expect(await other.undo()).toMatchObject(closed);
    expect([place.read('a.txt'), place.read('sub/b.txt')]).toEqual(['two\n', 'two\n']);
    open();
    expect(readdirSync(place.folder).sort()).toEqual(['.git', 'a.txt', 'sub']);
    expect(await other.undo()).not.toHaveProperty('code');
    expect([place.read('a.txt'), place.read('sub/b.txt')]).toEqual(['one\n', 'one\n']);
  },
);

// Only root can give a folder away.
test.runIf(process.getuid?.() === 0)(
  'undo: what is stopped half way says so, and is finished by the next time',
  async () => {
    const place = makeRepository({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n' });
    const other = workAs(place);
    await other.record();
    place.write({ 'a.txt': 'two\n', 'sub/b.txt': 'two\n' });
    await other.record();
    const sub = join(place.folder, 'sub');
    execFileSync('chown', ['-R', '0:0', sub]);
    // Everybody may write there, but nobody may replace what belongs to another.
    chmodSync(sub, 0o1777);
    expect(await other.undo()).toMatchObject({
      code: 'FILES_NOT_WRITTEN',
      facts: { reason: { errno: 'EPERM' }, isPartial: true },
    });
    expect([place.read('a.txt'), place.read('sub/b.txt')]).toEqual(['one\n', 'two\n']);
    expect(readdirSync(place.folder).sort()).toEqual(['.git', 'a.txt', 'sub']);
    chmodSync(sub, 0o777);
    expect(await other.undo()).not.toHaveProperty('code');
    expect(place.read('sub/b.txt')).toBe('one\n');
  },
);

test('record: a file that is closed to us is named, the others count; opened again, it is seen', async () => {
  const place = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const other = workAs(place);
  await other.record();
  place.write({ 'a.txt': 'two\n', 'b.txt': 'closed\n', 'new.txt': 'closed\n' });
  const open = [close(place, 'b.txt', 0), close(place, 'new.txt', 0)];
  expect(await other.record()).toMatchObject({
    kind: 'recorded',
    files: [
      { path: 'a.txt', change: 'update' },
      { path: 'b.txt', change: 'update', isKept: false },
      { path: 'new.txt', change: 'add', isKept: false },
    ],
  });
  expect(await other.undo()).toMatchObject({ code: 'FILES_CHANGING' });
  expect(place.read('a.txt')).toBe('two\n');
  expect(await other.record()).toMatchObject({ files: [] });
  for (const openOne of open) openOne();
  expect(await other.record()).toMatchObject({ files: [{ path: 'b.txt' }, { path: 'new.txt' }] });
});

test('record: files in a folder that is closed to us are as they were, the others count', async () => {
  const place = makeRepository({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n', 'sub/deep/c.txt': 'one\n' });
  const other = workAs(place);
  await other.record();
  place.write({ 'a.txt': 'two\n', 'sub/b.txt': 'two\n' });
  const open = close(place, 'sub', 0);
  expect(await other.record()).toMatchObject({ kind: 'recorded', files: [{ path: 'a.txt' }] });
  open();
  expect(await other.record()).toMatchObject({ files: [{ path: 'sub/b.txt', change: 'update' }] });
});

test('record: what cannot be written down is said', async () => {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const other = workAs(place);
  await other.record();
  place.write({ 'a.txt': 'two\n' });
  const folders = join(place.dataFolder, 'files/folders');
  const open = readdirSync(folders).map((name) => close(place, join('../data/files/folders', name), 0o500));
  expect(await other.record()).toMatchObject({ kind: 'not-recorded', reason: 'failed', isFinal: false });
  for (const openOne of open) openOne();
  expect(await other.record()).toMatchObject({ kind: 'recorded', files: [{ path: 'a.txt' }] });
});
