import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeRepository } from '../repository.js';
import { breakGit } from './breakGit.js';
import { codex, shell, stageFiles } from './filesStage.js';

test('a record that fails is said once, and the next one covers its time', async () => {
  const flag = breakGit('echo "fatal: no luck" >&2; exit 128');
  const place = makeRepository();
  const stage = await stageFiles(place, [
    shell('max', `echo >> max.txt; echo > '${flag}'`),
    shell('ada', ''),
  ]);
  await stage.say('[NEXT: max] Go.');
  rmSync(flag);
  await stage.say('[NEXT: ada] Go.');
  await stage.say('[NEXT: max] Once more.');
  expect(await stage.lists()).toEqual(['turn-1 late: A max.txt', 'turn-2: nothing']);
  expect(await stage.notices('files-not-recorded')).toMatchObject([
    { reason: 'failed', detail: expect.stringContaining('no luck') },
  ]);
  expect(stage.conversation.snapshot().messages).toHaveLength(6);
});

test('a late record accuses no reader, since others may have changed the files meanwhile', async () => {
  const flag = breakGit('exit 128');
  const place = makeRepository();
  const members = [codex('max', `echo > '${flag}'`), shell('ada', '')];
  const stage = await stageFiles(place, members);
  await stage.say('[NEXT: max] Look.');
  await stage.conversation.close();
  rmSync(flag);
  place.write({ 'kim.txt': 'by kim\n' });
  const again = await stageFiles(place, members, { resume: stage });
  await again.say('[NEXT: ada] Go.');
  expect(await again.lists()).toEqual(['turn-1 late: A kim.txt', 'turn-2: nothing']);
  expect(await again.notices('reader-changed-files')).toEqual([]);
});

test('a record that fails in a copy is made up for there', async () => {
  const flag = breakGit('exit 128');
  const once = `if [ -e 1 ]; then echo > 2; else echo > 1; echo > '${flag}'; fi`;
  const stage = await stageFiles(makeRepository(), [shell('ada', once, { workspace: 'copy' })]);
  await stage.say('[NEXT: ada] Go.');
  rmSync(flag);
  await stage.say('[NEXT: ada] Again.');
  expect(await stage.lists()).toEqual([
    'turn-1 in the copy of ada late: A 1',
    'turn-2 in the copy of ada: A 2',
  ]);
});

test('turns that could not be told apart are recorded together', async () => {
  const flag = breakGit('exit 128');
  const stage = await stageFiles(makeRepository(), [
    shell('max', `echo > 1; echo > '${flag}'`),
    shell('ada', `echo > 2; rm '${flag}'`),
  ]);
  await stage.say('[NEXT: max, ada] Go.');
  expect(await stage.lists()).toEqual(['turn-1 turn-2 late: A 1, A 2']);
});

/** A conversation whose first look hangs, as with a git that the system does not let go: what it started holds its output open. */
async function startWithHangingLook() {
  writeFileSync(breakGit('sleep 8; exit 1'), '');
  const stage = await stageFiles(makeRepository(), [shell('max', 'echo > 1')]);
  await stage.conversation.send('[NEXT: max] Go.');
  return stage;
}

test('the first look can be skipped; the turn that waits runs, and nothing is recorded', async () => {
  const stage = await startWithHangingLook();
  await stage.conversation.skipLook();
  expect(await stage.conversation.settled()).toMatchObject({ kind: 'waiting' });
  expect(stage.conversation.snapshot().messages).toHaveLength(2);
  expect(await stage.notices('files-not-recorded')).toMatchObject([{ reason: 'stopped' }]);
  expect(await stage.lists()).toEqual([]);
});

test('a turn that waits for the first look is dropped with all that waits', async () => {
  const stage = await startWithHangingLook();
  await stage.conversation.cancel({ drop: true });
  expect(await stage.conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'cancelled' } });
  const { queue, running, unfinished } = stage.conversation.snapshot().state;
  expect({ queue, running, unfinished }).toEqual({ queue: [], running: [], unfinished: [] });
  await stage.conversation.send('[NEXT: max] Again.');
  expect(await stage.conversation.settled()).toMatchObject({ kind: 'waiting' });
  expect(stage.conversation.snapshot().messages).toHaveLength(3);
});

test('a turn that is stopped while it waits for the first look ends as stopped, and can be retried', async () => {
  const stage = await startWithHangingLook();
  await stage.conversation.cancel();
  expect(await stage.conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'cancelled' } });
  expect(stage.conversation.snapshot().state.unfinished).toMatchObject([{ kind: 'cancelled' }]);
  expect(await stage.conversation.retry()).toBe(1);
  expect(await stage.conversation.settled()).toMatchObject({ kind: 'waiting' });
  expect(stage.conversation.snapshot().messages).toHaveLength(2);
});

test('closing does not wait for a record that hangs, and what it misses is recorded later', async () => {
  const flag = breakGit('exec sleep 60');
  const place = makeRepository();
  const stage = await stageFiles(place, [shell('max', `echo > 1; echo > '${flag}'`)]);
  const ended = new Promise<void>((resolve) => {
    stage.conversation.subscribe(({ type }) => type === 'turn-end' && resolve());
  });
  await stage.conversation.send('[NEXT: max] Go.');
  await ended;
  const began = performance.now();
  await stage.conversation.close();
  expect(performance.now() - began).toBeLessThan(10_000);
  rmSync(flag);
  const again = await stageFiles(place, [shell('max', 'echo > 2')], { resume: stage });
  await again.say('[NEXT: max] Again.');
  expect(await again.lists()).toEqual(['turn-1 late: A 1', 'turn-2: A 2']);
});

test('a folder that is not there is said, and the turn fails by itself', async () => {
  const place = makeRepository();
  rmSync(place.folder, { recursive: true });
  const stage = await stageFiles(place, [shell('max', '')]);
  await stage.say('[NEXT: max] Go.');
  expect(await stage.notices('files-not-recorded')).toMatchObject([{ reason: 'failed' }]);
  expect(existsSync(place.folder)).toBe(false);
});
