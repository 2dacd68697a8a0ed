import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import {
  GIT_ENVIRONMENT,
  makePlainFolder,
  makeRepository,
  readEverything,
  runTestGit,
} from './repository.js';
import { openTestWorkspace, recordTurn } from './workspaces.js';

test('lines can be taken back by git', async () => {
  const folder = makeRepository({
    'a.txt': 'one\ntwo\n',
    'sp ace/ü.txt': 'x\n',
    'moved.txt': 'long\nenough\n',
  });
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'one\n2', 'sp ace/ü.txt': 'y\n', 'new\nline': 'n\n' });
  renameSync(join(folder.folder, 'moved.txt'), join(folder.folder, 'there.txt'));
  const { patch, files } = await recordTurn(workspace, { withPatch: true });
  expect(patch).toContain('rename from moved.txt\nrename to there.txt\n');
  expect(patch).toContain('+++ b/sp ace/ü.txt');
  expect(await workspace.patch(files)).toEqual({ patch, isCut: false });
  runTestGit(folder.folder, ['apply', '-R'], patch);
  expect(folder.git('status', '--porcelain')).toBe('');
});

test('files that are named like secrets are listed without lines', async () => {
  const secrets = [
    '.env',
    '.env.local',
    'a.pem',
    'b.KEY',
    'id_rsa',
    '.npmrc',
    '.netrc',
    'my-credentials.json',
  ];
  const folder = makePlainFolder();
  const workspace = await openTestWorkspace(folder);
  folder.write(
    Object.fromEntries(['x.txt', ...secrets].map((name) => [`deep/${name}`, `hunter2 ${name}\n`])),
  );
  const { patch, files } = await recordTurn(workspace, { withPatch: true });
  expect(files).toHaveLength(secrets.length + 1);
  expect(patch?.match(/hunter2.*/gu)).toEqual(['hunter2 x.txt']);
  expect((await workspace.patch(files, { withBinary: true })).patch.match(/hunter2.*/gu)).toEqual([
    'hunter2 x.txt',
  ]);
});

test('what is no text has no lines, and attributes of the project do not hide any', async () => {
  const folder = makePlainFolder({ '.gitattributes': '*.txt -diff\n' });
  const workspace = await openTestWorkspace(folder);
  writeFileSync(join(folder.folder, 'b.bin'), Buffer.from([0, 1, 2, 255]));
  folder.write({ 'a.txt': 'text\n' });
  const { patch, files } = await recordTurn(workspace, { withPatch: true });
  expect(files).toMatchObject([
    { path: 'a.txt', added: 1, removed: 0 },
    { path: 'b.bin', isBinary: true },
  ]);
  expect(patch).toContain('+text\n');
  const binary = await workspace.patch(files, { withBinary: true });
  expect(binary.patch).toContain('GIT binary patch');
});

test('a long patch ends with a file; the counts are those of all', async () => {
  const folder = makePlainFolder();
  const workspace = await openTestWorkspace(folder);
  const lines = 'a line of some length\n'.repeat(6000);
  folder.write({ 'a.txt': lines, 'b.txt': lines, 'c.txt': lines });
  const { patch = '', patchIsCut, files } = await recordTurn(workspace, { withPatch: true });
  expect(patchIsCut).toBe(true);
  expect(Buffer.byteLength(patch)).toBeLessThanOrEqual(256 * 1024);
  expect(patch.match(/^diff --git .*$/gmu)).toEqual(['diff --git a/a.txt b/a.txt']);
  expect(files.map(({ added }) => added)).toEqual([6000, 6000, 6000]);
  const one = await workspace.patch(files.slice(0, 1), { maxBytes: 1000 });
  expect(one).toMatchObject({ isCut: true });
  expect(one.patch.endsWith('length\n')).toBe(true);
});

test('names that are not UTF-8 have their bytes', async () => {
  const folder = makePlainFolder();
  const workspace = await openTestWorkspace(folder);
  const name = Buffer.from('caf\xe9.txt', 'latin1');
  writeFileSync(Buffer.concat([Buffer.from(`${folder.folder}/`), name]), 'x\n');
  const { patch, files } = await recordTurn(workspace, { withPatch: true });
  expect(files).toMatchObject([
    { path: 'caf\ufffd.txt', bytes: name.toString('base64'), change: 'add', added: 1 },
  ]);
  expect(patch).toContain('+++ "b/caf\\351.txt"');
});

test('kept contents are read while another process records, and nothing of that is touched', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const recording = await openTestWorkspace(folder, 'c');
  folder.write({ 'a.txt': 'two\n' });
  const { files, patch } = await recordTurn(recording, { withPatch: true });
  const before = readEverything(join(folder.dataFolder, 'files/folders'));
  const reading = openWorkspace({ ...folder, conversationId: 'c', env: { PATH: GIT_ENVIRONMENT.PATH } });
  expect(await reading.patch(files)).toEqual({ patch, isCut: false });
  await reading.close();
  expect(readEverything(join(folder.dataFolder, 'files/folders'))).toEqual(before);
});

test('contents that are nowhere leave their files out', async () => {
  const folder = makePlainFolder();
  const workspace = await openTestWorkspace(folder);
  const id = 'a'.repeat(40);
  const file = { path: 'x', change: 'add', after: { mode: '100644', id } } as const;
  expect(await workspace.patch([file])).toEqual({ patch: '', isCut: false });
});
