import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playCassette } from '../../src/cassette/playCassette.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { Team } from '../../src/models/Team.js';
import { type FilesStage, type StageParts, shell, stageFiles } from '../files/recorder/filesStage.js';
import { makeRepository } from '../files/repository.js';

/** The recording of what was done on this stage, played by the same team, or another. */
async function play({ conversation, events }: FilesStage, team: Team = conversation.team) {
  const recorded = await events();
  await conversation.close();
  const { differences } = await playCassette({ events: recorded, team });
  return differences;
}

const edits = shell('ada', 'echo by ada >> a.txt');
const check = shell('tests', 'grep -q good a.txt || exit 1', { check: true, permission: 'read' });

/** A folder with one file, these members, and what a person does. */
async function record(
  members: readonly ReturnType<typeof shell>[],
  act: (stage: FilesStage, folder: string) => Promise<unknown>,
  parts: StageParts = {},
): Promise<FilesStage> {
  const place = makeRepository({ 'a.txt': 'one\n' });
  const stage = await stageFiles(place, members, parts);
  await act(stage, place.folder);
  return stage;
}

describe('a recording of work on files', () => {
  test('has its changes, also those of others, told to the next member', async () => {
    const stage = await record([edits, shell('max', '')], async ({ say }, folder) => {
      await say('[NEXT: ada] Go.');
      writeFileSync(join(folder, 'b.txt'), 'by kim\n');
      await say('[NEXT: max] What changed?');
    });
    expect(await stage.lists()).toEqual(['turn-1: M a.txt', 'others: A b.txt', 'turn-2: nothing']);
    expect(await play(stage)).toEqual([]);
  });

  test('has undo, redo and a later turn', async () => {
    const stage = await record([edits, shell('max', '')], async ({ say, conversation }) => {
      await say('[NEXT: ada] Go.');
      await conversation.undo();
      await conversation.undo('undo-1');
      await say('[NEXT: max] And now?');
    });
    expect((await stage.records()).map(({ by }) => by.kind)).toEqual(['turns', 'undo', 'undo', 'turns']);
    expect(await play(stage)).toEqual([]);
  });

  test('plays in a fork that begins where the changes of the last turn end', async () => {
    const stage = await record([edits], ({ say }) => say('[NEXT: ada] Go.'));
    const recorded = await stage.events();
    await stage.conversation.close();
    const { id: from, team } = stage.conversation;
    const last = recorded.length;
    const forked = { type: 'conversation-forked', from, upTo: last, v: 1, seq: last + 1, at: 0 } as const;
    const events = [...recorded, forked as RecordedEvent];
    expect(await playCassette({ events, team })).toMatchObject({ differences: [] });
  });

  test('has copies of a blind round, and what was applied of them', async () => {
    const other = shell('max', 'echo by max > b.txt');
    const stage = await record(
      [edits, other],
      async ({ say, conversation }) => {
        await say('[NEXT: ada, max] Go.');
        await conversation.apply('turn-2');
        await say('[NEXT: ada] Go on.');
      },
      { fanout: 'blind' },
    );
    expect((await stage.records()).map(({ by }) => by.kind)).toContain('apply');
    expect(await play(stage)).toEqual([]);
  });

  test('has checks that fail and pass, with their rounds and their limit', async () => {
    const slow = shell('ada', '[ -e second ] && echo good >> a.txt; echo x >> second');
    const passing = await record([slow, check], ({ say }) => say('[NEXT: ada] Make it good.'));
    expect((await passing.events()).filter(({ type }) => type === 'turn-start')).toHaveLength(4);
    expect(await play(passing)).toEqual([]);
    const failing = await record([edits, check], ({ say }) => say('[NEXT: ada] Make it good.'), {
      limits: { checkRounds: 2 },
    });
    expect((await failing.events()).at(-1)).toMatchObject({ type: 'conversation-pause' });
    expect(await play(failing)).toEqual([]);
  });

  test('differs when the team has no check any more', async () => {
    const stage = await record([edits, check], ({ say }) => say('[NEXT: ada] Make it good.'), {
      limits: { checkRounds: 1 },
    });
    const { team } = stage.conversation;
    const members = team.members.map((member) =>
      member.type === 'ai' ? { ...member, check: false } : member,
    );
    const kinds = (await play(stage, { ...team, members })).map(({ kind }) => kind);
    expect(kinds).toContain('settings');
    expect(kinds).toContain('never-asked');
  });
});
