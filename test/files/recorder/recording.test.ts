import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { factsOf } from '../../store/stage.js';
import { makePlainFolder, makeRepository, readEverything } from '../repository.js';
import { shell, stageFiles } from './filesStage.js';

describe('what turns do to files', () => {
  test('is recorded after each of them, whatever changed the files', async () => {
    const place = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const stage = await stageFiles(place, [
      shell('max', 'echo three >> a.txt; rm b.txt'),
      shell('sarah', 'echo new > new.txt'),
    ]);
    await stage.say('[NEXT: max, sarah] Go.');
    expect(await stage.lists()).toEqual(['turn-1: M a.txt, D b.txt', 'turn-2: A new.txt']);
    const [first] = await stage.records();
    expect(first?.patch).toContain('+three');
    expect(first?.files[0]).toMatchObject({ path: 'a.txt', added: 1, removed: 0 });
  });

  test('is recorded also if it is nothing', async () => {
    const stage = await stageFiles(makeRepository(), [shell('max', '')]);
    await stage.say('[NEXT: max] Only look.');
    expect(await stage.lists()).toEqual(['turn-1: nothing']);
  });

  test('is recorded also if the turn fails', async () => {
    const stage = await stageFiles(makeRepository(), [shell('max', 'echo half > half.txt; exit 3')]);
    await stage.say('[NEXT: max] Go.');
    expect(await stage.lists()).toEqual(['turn-1: A half.txt']);
  });

  test('is recorded after the answer, and before the next turn starts', async () => {
    const stage = await stageFiles(makeRepository(), [shell('max', 'echo 1 > 1'), shell('sarah', '')]);
    await stage.say('[NEXT: max, sarah] Go.');
    const order = (await stage.events())
      .map(({ type }) => type)
      .filter((type) => ['turn-start', 'turn-end', 'files-recorded'].includes(type));
    const turn = ['turn-start', 'turn-end', 'files-recorded'];
    expect(order).toEqual([...turn, ...turn]);
  });

  test('is told apart from what others do between turns, of whom no lines are kept', async () => {
    const place = makeRepository();
    const stage = await stageFiles(place, [shell('max', 'echo max > max.txt')]);
    await stage.say('[NEXT: max] Go.');
    place.write({ 'kim.txt': 'a secret of kim\n' });
    await stage.say('[NEXT: max] And again.');
    expect(await stage.lists()).toEqual(['turn-1: A max.txt', 'others: A kim.txt', 'turn-2: nothing']);
    expect(JSON.stringify(await stage.records())).not.toContain('a secret');
  });

  test('of others has its lines where members are told them', async () => {
    const place = makeRepository();
    const stage = await stageFiles(place, [shell('max', '')], { files: { tell: 'diff' } });
    await stage.say('[NEXT: max] Go.');
    place.write({ 'kim.txt': 'a line of kim\n' });
    await stage.say('[NEXT: max] And again.');
    expect((await stage.records())[1]?.patch).toContain('+a line of kim');
  });

  test('is recorded in a folder without a repository, too', async () => {
    const stage = await stageFiles(makePlainFolder({ 'a.txt': '1\n' }), [shell('max', 'echo 2 > a.txt')]);
    await stage.say('[NEXT: max] Go.');
    expect(await stage.lists()).toEqual(['turn-1: M a.txt']);
  });

  test('leaves the repository itself untouched', async () => {
    const place = makeRepository();
    const before = readEverything(`${place.folder}/.git`);
    const stage = await stageFiles(place, [shell('max', 'echo 1 > 1')]);
    await stage.say('[NEXT: max] Go.');
    await stage.conversation.close();
    expect(readEverything(`${place.folder}/.git`)).toEqual(before);
  });
});

describe('nothing is recorded', () => {
  test.each([
    ['where the team file says so', { files: { record: false } }],
    ['in a rehearsal', { rehearsal: {} }],
    ['by a library without a data folder', { dataFolder: undefined }],
  ])('%s', async (_, options) => {
    const place = makeRepository();
    const stage = await stageFiles(place, [shell('max', 'echo 1 > 1')], options);
    await stage.say('[NEXT: max] Go.');
    expect(await stage.lists()).toEqual([]);
    expect(existsSync(place.dataFolder)).toBe(false);
  });
});

test('a turn that a person replaces while the folder is looked at does not run', async () => {
  const stage = await stageFiles(makeRepository(), [shell('ada', 'echo x >> seen')]);
  await stage.conversation.send('[NEXT: ada] First.');
  await stage.say('[NEXT: ada] No, rather this.');
  const dropped = (await factsOf(stage.conversation, 'turns-dropped')).flatMap(({ turnIds }) => turnIds);
  const started = (await factsOf(stage.conversation, 'turn-start')).map(({ turnId }) => turnId);
  expect(dropped).toEqual(['turn-1']);
  expect(started).toEqual(['turn-2']);
});
