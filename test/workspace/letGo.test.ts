import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MemberId } from '../../src/models/ids.js';
import { letGoOf, makeRoom, readKeptBytes } from '../../src/workspace/letGo.js';
import type { RecordedFolder } from '../../src/workspace/Workspace.js';
import { makePlainFolder, makeRepository, type TestFolder } from './repository.js';
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

/** Text that takes some room. */
function randomText(seed: string): string {
  return Array.from({ length: 300 }, (_, index) => `${seed} ${index * 7919}\n`).join('');
}

function filesNaming({ dataFolder }: TestFolder, name: RegExp): readonly string[] {
  return readdirSync(join(dataFolder, 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    name.test(path),
  );
}
