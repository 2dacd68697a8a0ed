import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { explainTurns } from '../../../src/coordinator/explainTurn.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { agent } from '../../coordinator/teams.js';
import { makeRepository } from '../repository.js';
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

test('a judge is told what was done in copies, with its lines, until one is applied', async () => {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const judge = { ...listener, window: 0, command: ['/bin/sh', '-c', "sed -n '/own copy/,$p'; echo read"] };
  const members = [shell('max', 'echo two >> a.txt'), shell('ada', 'echo three >> a.txt'), judge];
  const stage = await stageFiles(place, members, { fanout: 'blind' });
  await stage.say('[NEXT: max, ada] Go.');
  await stage.say('[NEXT: sarah] Which is better?');
  const [answer = ''] = await answersOf(stage, 'sarah');
  expect(answer).toMatch(
    /^In max's own copy, not in the working folder \(turn-1\):\n- a\.txt: changed by max in turn-1 \(\+1 -0\)\n {2}diff/u,
  );
  expect(answer).toContain("\nIn ada's own copy, not in the working folder (turn-2):\n");
  expect(answer).toContain('\n   one\n  +three\n');
  await stage.conversation.apply('turn-1');
  await stage.say('[NEXT: sarah] And now?');
  expect((await answersOf(stage, 'sarah')).at(-1)).toBe('read');
  const turns = await toArray(explainTurns(await stage.events()));
  expect(turns.filter(({ isExact }) => !isExact)).toEqual([]);
});
