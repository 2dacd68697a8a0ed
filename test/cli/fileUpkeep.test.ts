import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import { GIT_ENVIRONMENT } from '../files/repository.js';
import { createFileSession } from './fileSession.js';

function countKept(dataFolder: string): number {
  return readdirSync(join(dataFolder, 'files', 'objects'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  ).length;
}

test('a deleted session lets go of the contents that were kept for it', async () => {
  const session = await createFileSession();
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n', 'b.txt': 'new\n' }));
  expect(countKept(session.dataFolder)).toBeGreaterThan(0);
  expect((await session.machine.run(['delete', session.id, '--yes'])).code).toBe(0);
  expect(countKept(session.dataFolder)).toBe(0);
});

test('doctor says whether git is there, and how much is kept', async () => {
  const session = await createFileSession();
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
  const { stdout } = await session.machine.run(['doctor']);
  expect(stdout).toMatch(/✓ git \d+\.\d+\S* at \S+: file changes are recorded, 1 MB kept for undo\n/u);
  rmSync(join(session.machine.folder, 'bin', 'git'));
  expect((await session.machine.run(['doctor'])).stdout).toContain(
    '! git is not installed: file changes are not recorded\n    Install git 2.34 or newer.\n',
  );
});

test('a git that fails is a reason, not a bug: doctor, turns and commit say so', async () => {
  const session = await createFileSession();
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
  const git = join(session.machine.folder, 'bin', 'git');
  rmSync(git);
  // As on a Mac without the developer tools.
  writeFileSync(git, '#!/bin/sh\necho "xcrun: error: invalid active developer path" >&2\nexit 1\n', {
    mode: 0o755,
  });
  expect((await session.machine.run(['doctor'])).stdout).toContain(
    '! git fails (xcrun: error: invalid active developer path): file changes are not recorded\n    Run git --version and fix what it reports.\n',
  );
  for (const command of [
    ['undo', '--yes'],
    ['commit', '-m', 'x'],
  ])
    expect(await session.machine.run(command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[FILES_NOT_RECORDED]'),
    });
});

test('completion knows the changes of the latest session, and files after --', async () => {
  const session = await createFileSession();
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
  await session.turn('max', () => undefined);
  const complete = async (...words: string[]) =>
    (await session.machine.run(['completion', 'bash', '--', ...words])).stdout;
  expect(await complete('diff', '')).toBe('turn-1\nnew\nall\n');
  expect(await complete('undo', 't')).toBe('turn-1\n');
  expect(await complete('undo', '1', '--', '')).toBe(':files\n');
  expect(await complete('undo', '--', '')).toBe(':files\n');
  expect(await complete('und')).toBe('undo\n');
});

test('nothing is undone while a turn of another process runs in the folder', async () => {
  const session = await createFileSession();
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
  const { folder, dataFolder } = session;
  const other = openWorkspace({ folder, dataFolder, conversationId: 'other', env: GIT_ENVIRONMENT });
  const mark = await other.mark('turn-7 of session other');
  expect(await session.machine.run(['undo', '--yes'], { spawned: true })).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'error[FILES_BUSY]: turn-7 of session other is running here. Try again when it ends; nothing was touched.\n',
  });
  // What was refused has touched nothing.
  expect(await mark.end()).toEqual([]);
  await other.close();
  expect((await session.machine.run(['undo', '--yes'])).code).toBe(0);
});

test('changes of a turn that was cut off are recorded before an undo', async () => {
  const session = await createFileSession({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
  const prompt = { bytes: 1, sha256: '', latestMessageId: 'msg-1', session: 'new' } as never;
  const turn = { turnId: 'turn-2', memberId: 'max', triggeredBy: 'msg-1' } as never;
  await session.append({ type: 'turn-start', ...(turn as object), prompt } as never);
  session.write({ 'b.txt': 'two\n' });
  expect((await session.machine.run(['undo', '1', '--yes'])).code).toBe(0);
  const { files, units } = JSON.parse((await session.machine.run(['diff', '2', '--json'])).stdout);
  expect([units, files.map(({ path }: { path: string }) => path)]).toEqual([['turn-2'], ['b.txt']]);
});
