import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { letGoOf, makeRoom, readKeptBytes } from '../../src/files/letGo.js';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { RecordedFolder } from '../../src/files/Workspace.js';
import type { MemberId } from '../../src/models/ids.js';
import {
  GIT_ENVIRONMENT,
  makePlainFolder,
  makeRepository,
  type TestFolder,
  testFolder,
} from './repository.js';
import { actionsOf, openTestWorkspace, recordTurn, stepsBack } from './workspaces.js';

const DAY = 24 * 60 * 60 * 1000;

/** A conversation that changed a file, closed again. */
async function playConversation(folder: TestFolder, id: string, content: string): Promise<RecordedFolder> {
  const workspace = await openTestWorkspace(folder, id);
  folder.write({ 'a.txt': content });
  const record = await recordTurn(workspace);
  await workspace.close();
  return record;
}

/** What an undo of a record would do now. */
async function planUndo(
  folder: TestFolder,
  id: string,
  record: RecordedFolder,
): Promise<Record<string, string>> {
  const workspace = await openTestWorkspace(folder, id);
  const plan = await workspace.plan({ steps: stepsBack(record.files) });
  await workspace.close();
  return actionsOf(plan);
}

function worked({ dataFolder }: TestFolder, id: string, daysAgo: number): void {
  const time = (Date.now() - daysAgo * DAY) / 1000;
  utimesSync(join(dataFolder, 'files/kept', id), time, time);
}

test('contents of a deleted conversation are gone, those that another one needs stay', async () => {
  const folder = makePlainFolder({ 'a.txt': 'start\n' });
  const first = await playConversation(folder, 'first', 'one\n');
  const second = await playConversation(folder, 'second', 'two\n');
  const before = await readKeptBytes(folder.dataFolder);
  await letGoOf(folder.dataFolder, 'first');
  expect(await readKeptBytes(folder.dataFolder)).toBeLessThan(before);
  expect(await planUndo(folder, 'second', second)).toEqual({ 'a.txt': 'write' });
  folder.write({ 'a.txt': 'one\n' });
  expect(await planUndo(folder, 'third', first)).toEqual({ 'a.txt': 'not-kept' });
  await letGoOf(folder.dataFolder, 'second');
  await letGoOf(folder.dataFolder, 'third');
  expect(await readKeptBytes(folder.dataFolder)).toBe(0);
  expect(filesNaming(folder, /first|second|third/u)).toEqual([]);
});

test('copies of a deleted conversation are gone', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder, 'first');
  const copy = await workspace.copyFor({ memberId: 'ada' as MemberId });
  await workspace.close();
  await letGoOf(folder.dataFolder, 'other');
  expect(copy).toMatchObject({ kind: 'ready' });
  expect(existsSync(copy.kind === 'ready' ? copy.folder : '')).toBe(true);
  await letGoOf(folder.dataFolder, 'first');
  expect(existsSync(copy.kind === 'ready' ? copy.folder : '')).toBe(false);
});

test('room is made by the oldest conversations first, never by those of the last seven days', async () => {
  const folder = makePlainFolder({ 'a.txt': 'start\n' });
  const records = [];
  for (const id of ['oldest', 'old', 'new']) records.push(await playConversation(folder, id, randomText(id)));
  worked(folder, 'oldest', 20);
  worked(folder, 'old', 9);
  worked(folder, 'new', 6);
  const bytes = await readKeptBytes(folder.dataFolder);
  expect(await makeRoom(folder.dataFolder, { maxBytes: bytes })).toBe(true);
  expect(await readKeptBytes(folder.dataFolder)).toBe(bytes);
  expect(await makeRoom(folder.dataFolder, { maxBytes: bytes - 1 })).toBe(true);
  expect(readdirSync(join(folder.dataFolder, 'files/kept')).sort()).toEqual(['new', 'old']);
  expect(await makeRoom(folder.dataFolder, { maxBytes: 1 })).toBe(false);
  expect(readdirSync(join(folder.dataFolder, 'files/kept'))).toEqual(['new']);
  expect(await planUndo(folder, 'new', records[2] as RecordedFolder)).toEqual({ 'a.txt': 'write' });
});

test('contents that no conversation names go before those that one does', async () => {
  const folder = makePlainFolder({ 'a.txt': 'start\n' });
  await playConversation(folder, 'old', randomText('old'));
  worked(folder, 'old', 20);
  const bytes = await readKeptBytes(folder.dataFolder);
  const objects = join(folder.dataFolder, 'files/objects');
  const [group = ''] = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/u.test(name));
  const left = join(objects, group, 'a'.repeat(38));
  writeFileSync(left, 'left by a crash');
  const time = (Date.now() - 8 * DAY) / 1000;
  utimesSync(left, time, time);
  expect(await makeRoom(folder.dataFolder, { maxBytes: bytes })).toBe(true);
  expect(await readKeptBytes(folder.dataFolder)).toBe(bytes);
});

describe('without room for more contents', () => {
  test('changes are recorded with their lines, and nothing more is kept', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n', '.gitignore': 'old\n' });
    const before = await playConversation(folder, 'first', randomText('first'));
    const kept = await readKeptBytes(folder.dataFolder);
    const { workspace, opening } = await openFull(folder);
    expect(opening).toEqual({ kind: 'new', isKeeping: false });
    folder.write({ 'a.txt': 'two\n', 'new.txt': 'new\n', '.gitignore': 'old\nhidden\n', hidden: 'h\n' });
    const turn = await recordTurn(workspace, { withPatch: true });
    expect(turn.files.map(({ path, change, isKept }) => `${change} ${path} ${isKept}`)).toEqual([
      'update .gitignore false',
      'update a.txt false',
      'add hidden false',
      'add new.txt false',
    ]);
    expect(turn.patch).toContain('+two\n');
    folder.write({ 'a.txt': 'three\n' });
    expect((await recordTurn(workspace, { withPatch: true })).patch).toContain('-two\n+three\n');
    expect(await readKeptBytes(folder.dataFolder)).toBe(kept);
    folder.write({ 'a.txt': randomText('first') });
    expect(actionsOf(await workspace.plan({ steps: stepsBack(before.files) }))).toEqual({ 'a.txt': 'write' });
    await workspace.close();
    expect(await planUndo(folder, 'full', turn)).toMatchObject({ '.gitignore': 'not-kept' });
  });

  test('copies are made and brought up to date, also by a later process', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' });
    await playConversation(folder, 'first', randomText('first'));
    folder.write({ 'uncommitted.txt': 'mine\n' });
    const first = await openFull(folder);
    await first.workspace.close();
    const { workspace, opening } = await openFull(folder);
    expect(opening).toEqual({ kind: 'known', isKeeping: false });
    const copy = await workspace.copyFor({ memberId: 'ada' as MemberId });
    expect(copy).toMatchObject({ kind: 'ready', behind: [] });
    const place = testFolder(copy.kind === 'ready' ? copy.folder : '', '');
    expect(place.read('uncommitted.txt')).toBe('mine\n');
    folder.write({ 'a.txt': 'two\n' });
    await recordTurn(workspace);
    expect(await workspace.copyFor({ memberId: 'ada' as MemberId })).toMatchObject({ behind: [] });
    expect(place.read('a.txt')).toBe('two\n');
  });
});

/** A conversation that opens when everything that may be kept is. */
async function openFull({ folder, dataFolder }: TestFolder) {
  // The last look was long ago.
  rmSync(join(dataFolder, 'files/room.json'), { force: true });
  const env = { PATH: GIT_ENVIRONMENT.PATH };
  const workspace = openWorkspace({ folder, dataFolder, conversationId: 'full', maxKeptBytes: 1, env });
  onTestFinished(() => workspace.close());
  return { workspace, opening: await workspace.open() };
}

/** Text that takes some room. */
function randomText(seed: string): string {
  return Array.from({ length: 300 }, (_, index) => `${seed} ${index * 7919}\n`).join('');
}

function filesNaming({ dataFolder }: TestFolder, name: RegExp): readonly string[] {
  return readdirSync(join(dataFolder, 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    name.test(path),
  );
}
