import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { letGoOf } from '../../../src/files/letGo.js';
import type { CarryIntent, PlannedFile } from '../../../src/files/Workspace.js';
import type { MemberId } from '../../../src/models/ids.js';
import { forkConversation } from '../../../src/store/forkConversation.js';
import { makeRepository, type TestFolder } from '../repository.js';
import { openTestWorkspace, stepsBack } from '../workspaces.js';
import { breakGit } from './breakGit.js';
import { type FilesStage, shell, stageFiles } from './filesStage.js';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';
const NAMES = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];

/** A conversation in which max changed four files, and which is closed. */
async function stageTurn(): Promise<{ place: TestFolder; stage: FilesStage }> {
  const place = makeRepository(Object.fromEntries(NAMES.map((name) => [name, LINES])));
  const stage = await stageFiles(place, [shell('max', 'for f in ?.txt; do sed -i s/two/TWO/ $f; done')]);
  await stage.say('[NEXT: max] Go.');
  await stage.conversation.close();
  return { place, stage };
}

/** Begins to undo turn-1, and leaves it as a process does that is killed when so many files are moved. */
async function cutOff(
  { place, stage }: Awaited<ReturnType<typeof stageTurn>>,
  count: number,
): Promise<readonly PlannedFile[]> {
  const [record] = await stage.records();
  const workspace = await openTestWorkspace(place, stage.conversation.id);
  const { files } = await workspace.plan({ steps: stepsBack(record?.files ?? []) });
  const intent: CarryIntent = {
    by: { kind: 'undo', id: 'undo-1', of: ['turn-1'], memberId: 'kim' as MemberId },
    what: 'turn-1',
    recordsBefore: 1,
    files,
  };
  await workspace.carry({ files: files.slice(0, count) }, { intent });
  await workspace.close();
  return files;
}

/** Opens the conversation again. */
async function reopen(place: TestFolder, stage: FilesStage): Promise<FilesStage> {
  const again = await stageFiles(place, [shell('max', 'echo >> turn.txt')], { resume: stage });
  await again.conversation.files();
  return again;
}

const read = (place: TestFolder) => Object.fromEntries(NAMES.map((name) => [name, place.read(name)]));
const all = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]));
const TURNED = LINES.replace('two', 'TWO');

describe('an undo that was cut off', () => {
  test.each([1, 2, 4])(
    'after %i of 4 files is finished when the conversation is opened: one action',
    async (count) => {
      const { place, stage } = await stageTurn();
      await cutOff({ place, stage }, count);
      const again = await reopen(place, stage);
      expect(read(place)).toEqual(all(LINES));
      expect(await again.lists()).toEqual([
        'turn-1: M a.txt, M b.txt, M c.txt, M d.txt',
        'undo: M a.txt, M b.txt, M c.txt, M d.txt',
      ]);
      expect(await again.conversation.undo('undo-1')).toMatchObject({ id: 'undo-2' });
      expect(read(place)).toEqual(all(TURNED));
      // It is over: nothing more of it happens.
      await again.say('[NEXT: max] Once more.');
      expect((await again.lists()).slice(3)).toEqual(['turn-2: A turn.txt']);
    },
  );

  test('leaves alone what somebody changed since, and says so', async () => {
    const { place, stage } = await stageTurn();
    await cutOff({ place, stage }, 2);
    place.write({
      // Moved already; kim works on with it.
      'a.txt': LINES.replace('five', 'kim'),
      'b.txt': 'kim\n',
      'c.txt': TURNED.replace('five', 'kim'),
      'new.txt': 'kim\n',
    });
    const again = await reopen(place, stage);
    expect(read(place)).toEqual({
      'a.txt': LINES.replace('five', 'kim'),
      'b.txt': 'kim\n',
      'c.txt': TURNED.replace('five', 'kim'),
      'd.txt': LINES,
    });
    expect(await again.lists()).toEqual([
      'turn-1: M a.txt, M b.txt, M c.txt, M d.txt',
      'undo: M a.txt, M d.txt',
      'others: M a.txt, M b.txt, M c.txt, A new.txt',
    ]);
    expect((await again.records())[1]?.by).toMatchObject({ left: ['b.txt', 'c.txt'] });
    await again.conversation.undo('undo-1');
    expect(read(place)).toMatchObject({
      'a.txt': TURNED.replace('five', 'kim'),
      'b.txt': 'kim\n',
      'd.txt': TURNED,
    });
    expect(place.read('new.txt')).toBe('kim\n');
  });

  test('that was recorded is not done again', async () => {
    const { place, stage } = await stageTurn();
    await cutOff({ place, stage }, 4);
    const intents = join(place.dataFolder, 'files/begun', stage.conversation.id);
    const intent = readFileSync(intents);
    const again = await reopen(place, stage);
    await again.conversation.undo('undo-1');
    await again.conversation.close();
    // As if the process had died between the record and the end.
    writeFileSync(intents, intent);
    const last = await reopen(place, stage);
    expect(read(place)).toEqual(all(TURNED));
    expect(await last.records()).toHaveLength(3);
    expect(existsSync(intents)).toBe(false);
  });

  test('is no business of another conversation, of a fork, or of another folder', async () => {
    const { place, stage } = await stageTurn();
    await cutOff({ place, stage }, 1);
    const half = read(place);
    const { id } = await forkConversation(stage.store, stage.conversation.id, {});
    const fork = await stageFiles(place, [shell('max', '')], {
      resume: { ...stage, conversation: { ...stage.conversation, id } },
    });
    await fork.conversation.files();
    const other = await stageFiles(place, [shell('max', '')]);
    await other.say('[NEXT: max] Go.');
    expect(read(place)).toEqual(half);
    const clone = makeRepository(all(TURNED));
    const elsewhere = await stageFiles({ ...clone, dataFolder: place.dataFolder }, [shell('max', '')], {
      resume: stage,
    });
    await elsewhere.conversation.files();
    expect(read(clone)).toEqual(all(TURNED));
    await elsewhere.conversation.close();
    await reopen(place, stage);
    expect(read(place)).toEqual(all(LINES));
  });
});

/** Begun by somebody who is gone; nothing of it is kept when its conversation is deleted. */
test('an undo that was cut off is forgotten with its conversation', async () => {
  const { place, stage } = await stageTurn();
  await cutOff({ place, stage }, 1);
  const half = read(place);
  await letGoOf(place.dataFolder, stage.conversation.id);
  expect(readdirSync(join(place.dataFolder, 'files/begun'))).toEqual([]);
  expect(read(place)).toEqual(half);
});

/** A conversation in which max changed many files, and what is done as soon as the first of them is back. */
async function undoBeside(beside: (place: TestFolder, stage: FilesStage) => void) {
  const names = Array.from({ length: 200 }, (_, index) => `${index + 100}.txt`);
  const place = makeRepository(Object.fromEntries(names.map((name) => [name, 'before\n'])));
  const stage = await stageFiles(place, [shell('max', 'for f in *.txt; do echo after > $f; done')]);
  await stage.say('[NEXT: max] Go.');
  const undone = stage.conversation.undo('1').catch((error: unknown) => error);
  while (place.read('100.txt') !== 'before\n') await setImmediate();
  beside(place, stage);
  return { place, stage, undone: await undone };
}

test('a save beside an undo is kept, named, and of others in the log', async () => {
  const { place, stage, undone } = await undoBeside(({ write }) => write({ '299.txt': 'mine\n' }));
  expect(undone).toMatchObject({ id: 'undo-1', left: ['299.txt'] });
  const [, undo, others] = await stage.records();
  expect(undo?.by).toMatchObject({ kind: 'undo', left: ['299.txt'] });
  expect(undo?.files).toHaveLength(199);
  expect(others).toMatchObject({ by: { kind: 'others' }, files: [{ path: '299.txt' }] });
  await stage.conversation.undo('undo-1');
  expect([place.read('298.txt'), place.read('299.txt')]).toEqual(['after\n', 'mine\n']);
});

test('closing waits for an undo, and its record', async () => {
  let closed: Promise<void> | undefined;
  const { place, stage, undone } = await undoBeside((_, { conversation }) => {
    closed = conversation.close();
  });
  await closed;
  expect(undone).toMatchObject({ id: 'undo-1' });
  expect(place.read('299.txt')).toBe('before\n');
  const log = await stage.store.read(stage.conversation.id);
  const kinds = [];
  for await (const event of log.read()) if (event.type === 'files-recorded') kinds.push(event.by.kind);
  expect(kinds).toEqual(['turns', 'undo']);
});

test('an undo that the disk has no room to record says so; the same command records it', async () => {
  const flag = breakGit('echo "fatal: No space left on device" >&2; exit 128');
  const { place, stage, undone } = await undoBeside(() => writeFileSync(flag, ''));
  expect(undone).toMatchObject({ code: 'FILES_NOT_RECORDED', facts: { what: 'undo-1', isMoved: true } });
  expect(place.read('299.txt')).toBe('before\n');
  expect(await stage.records()).toHaveLength(1);
  rmSync(flag);
  expect(await stage.conversation.undo('1')).toMatchObject({ id: 'undo-1', of: ['turn-1'] });
  const [, undo] = await stage.records();
  expect(undo).toMatchObject({ by: { kind: 'undo', id: 'undo-1' } });
  expect(undo?.files).toHaveLength(200);
  expect(await stage.records()).toHaveLength(2);
});
