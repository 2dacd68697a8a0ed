import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { explainTurns } from '../../../src/coordinator/explainTurn.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { makeRepository } from '../../workspace/repository.js';
import { agent } from '../teams.js';
import { type FilesStage, shell, stageFiles } from './filesStage.js';

/** A member that answers with the part of its prompt that it is told of files. */
const listener = agent('sarah', {
  agentType: 'command',
  command: ['/bin/sh', '-c', "sed -n '/^Since /,/^$/p'; echo read"],
  visibility: 'addressed',
});

async function answersOf(stage: FilesStage, name: string): Promise<string[]> {
  const { messages } = stage.conversation.snapshot();
  return messages.filter(({ speaker }) => speaker.roleName === name).map(({ content }) => content);
}

test('a member is told what others changed since its last turn; why makes the same bytes, also when reopened', async () => {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const store = new SqliteStore({ file: join(place.dataFolder, 'conversations.db') });
  onTestFinished(() => store.close());
  const members = [shell('max', 'echo two >> a.txt; echo x > "odd name"'), listener];
  const stage = await stageFiles(place, members, { store });
  await stage.say('[NEXT: max, sarah] Go.');
  place.write({ 'kim.txt': 'mine\n' });
  await stage.say('[NEXT: sarah] Look.');
  expect(await answersOf(stage, 'sarah')).toEqual([
    [
      'Since this conversation began, in the working folder:',
      '- a.txt: changed by max in turn-1 (+1 -0)',
      '- "odd name": added by max in turn-1 (+1 -0)',
      '',
      'read',
    ].join('\n'),
    [
      'Since your last turn (turn-2), in the working folder:',
      '- kim.txt: added between turns, by a person or a program',
      '',
      'read',
    ].join('\n'),
  ]);
  await stage.say('[NEXT: sarah] Nothing happened.');
  expect((await answersOf(stage, 'sarah')).at(-1)).toBe('read');
  await stage.conversation.close();

  const again = await stageFiles(place, members, { store, resume: stage });
  await again.say('[NEXT: max, sarah] Once more.');
  expect((await answersOf(again, 'sarah')).at(-1)).toContain(
    'Since your last turn (turn-4), in the working folder:\n- a.txt: changed by max in turn-5 (+1 -0)\n',
  );
  const events = await again.events();
  const turns = await toArray(explainTurns(events));
  expect(turns.filter(({ isExact }) => !isExact)).toEqual([]);
  expect(turns.map(({ plan }) => (plan.sections?.files ?? 0) > 0)).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ]);
});

test('with tell: "diff" a member is told the lines too', async () => {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const stage = await stageFiles(place, [shell('max', 'echo two >> a.txt'), listener], {
    files: { tell: 'diff' },
  });
  await stage.say('[NEXT: max, sarah] Go.');
  const [answer] = await answersOf(stage, 'sarah');
  expect(answer).toContain('\nThe lines that changed:\n  diff --git a/a.txt b/a.txt\n');
  expect(answer).toContain('\n   one\n  +two\n');
  const turns = await toArray(explainTurns(await stage.events()));
  expect(turns.filter(({ isExact }) => !isExact)).toEqual([]);
});

test('with tell: "nothing", or where nothing is recorded, a member is told nothing', async () => {
  for (const files of [{ tell: 'nothing' }, { record: false }] as const) {
    const stage = await stageFiles(makeRepository(), [shell('max', 'echo x > x'), listener], { files });
    await stage.say('[NEXT: max, sarah] Go.');
    expect(await answersOf(stage, 'sarah')).toEqual(['read']);
  }
});
