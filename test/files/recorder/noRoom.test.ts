import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository } from '../repository.js';
import { shell, stageFiles } from './filesStage.js';

test('without room for more contents that is said once, and turns are recorded all the same', async () => {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const objects = join(place.dataFolder, 'files/objects/aa');
  mkdirSync(objects, { recursive: true });
  // Takes no room on the disk: it has a hole.
  const large = join(objects, 'a'.repeat(38));
  writeFileSync(large, '');
  truncateSync(large, 2 ** 31 + 1);
  const stage = await stageFiles(place, [shell('ada', 'date +%N > a.txt')]);
  await stage.say('[NEXT: ada] Go.');
  await stage.say('[NEXT: ada] Again.');
  expect(await stage.lists()).toEqual(['turn-1: M a.txt', 'turn-2: M a.txt']);
  const records = await stage.records();
  expect(records.flatMap(({ files }) => files.map(({ isKept }) => isKept))).toEqual([false, false]);
  expect(records[1]?.patch).toContain('+++ b/a.txt');
  expect((await stage.notices('files-not-recorded')).map(({ reason }) => reason)).toEqual(['no-room']);
});
