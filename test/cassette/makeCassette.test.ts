import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCassette } from '../../src/cassette/makeCassette.js';
import { InvalidCassetteError } from '../../src/cassette/openCassette.js';
import { playCassette } from '../../src/cassette/playCassette.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { agentNamed, teamOf } from '../store/stage.js';
import { hold, talks } from './secretTalks.js';

const place = { folder: '/home/kim/wiki', home: '/home/kim', env: {} };

describe('making a cassette', () => {
  test('of any conversation with secrets gives one that its team plays without a difference', async () => {
    await fc.assert(
      fc.asyncProperty(talks, async ({ teamWith, messages, replies }) => {
        const team = teamWith(String);
        const events = await hold(team, messages, replies);
        const { cassette, differences } = await makeCassette({ events, team, place });
        expect(differences).toEqual([]);
        expect(JSON.stringify(cassette)).not.toMatch(/ghp_|\/home\/kim/u);
        expect(await playCassette({ events: cassette, team, place })).toMatchObject({
          differences: [],
          notes: [],
        });
      }),
      { numRuns: 50 },
    );
  });

  test('plays on another machine, whose folder has another name', async () => {
    const teamIn = (folder: string) =>
      teamOf([
        agentNamed('max', {
          instructionFileText: `Tests are in ${folder}/test.`,
          allow: [`Read(${folder}/**)`],
        }),
      ]);
    const team = teamIn(place.folder);
    const events = await hold(team, ['Go.'], [`I looked at ${place.folder}/a.ts.`]);
    const { cassette } = await makeCassette({ events, team, place });
    const there = { folder: '/builds/wiki', home: '/root', env: {} };
    const played = await playCassette({ events: cassette, team: teamIn(there.folder), place: there });
    expect(played.differences).toEqual([]);
  });

  test('with a team that has changed keeps the recording and tells what differs', async () => {
    const events = await hold(
      teamOf([agentNamed('max', { systemInstruction: 'Be kind.' })]),
      ['Go.'],
      ['Yes.'],
    );
    const team = teamOf([agentNamed('max', { systemInstruction: 'Be strict.' })]);
    const { cassette, differences } = await makeCassette({ events, team, place });
    expect(differences.map(({ kind }) => kind)).toEqual(['prompt']);
    expect(JSON.stringify(cassette)).toContain('Be kind.');
  });

  test('counts what it masked', async () => {
    const team = teamOf([agentNamed('max')]);
    const events = await hold(team, [`Use ghp_${'a1'.repeat(20)}.`], ['Yes.']);
    expect(await makeCassette({ events, team, place })).toMatchObject({ masked: 1 });
  });

  test('refuses what is too large to be opened again', async () => {
    const team = teamOf([agentNamed('max')]);
    const events = await hold(team, ['Go.'], ['Yes.']);
    const more = Array.from({ length: 6 }, (_, at): RecordedEvent => {
      const place = { v: 1, seq: events.length + 1 + at, at: 0 } as const;
      return { type: 'title-changed', title: 'x'.repeat(12_000_000), ...place };
    });
    await expect(makeCassette({ events: [...events, ...more], team, place })).rejects.toThrow(
      InvalidCassetteError,
    );
  }, 60_000);
});
