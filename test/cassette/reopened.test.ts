import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDifferences } from '../../src/cassette/formatDifferences.js';
import { playCassette } from '../../src/cassette/playCassette.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import type { Team } from '../../src/models/Team.js';
import { forkConversation } from '../../src/store/forkConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { isFull } from '../soak/isFull.js';
import { type Answer, answer, anyAgents, NAMES, playAll, words } from '../store/anyTalk.js';
import { ID } from '../store/facts.js';
import { agentNamed, LIMITS, resumeWith, startWith, teamOf } from '../store/stage.js';
import { tries } from '../tier.js';

/** Routing and limits are in no log, so they are the same of all teams of a conversation. */
const rules = fc.record({
  routing: fc.record({
    fallback: fc.constantFrom('human' as const, 'round-robin' as const),
    fanout: fc.constantFrom('sequential' as const, 'same-question' as const, 'blind' as const),
  }),
  agentTurns: fc.integer({ min: 1, max: 8 }),
});

const squads = fc.record({
  agents: anyAgents,
  present: fc.subarray(NAMES, { minLength: 1 }),
  guard: fc.constantFrom('on' as const, 'off' as const, 'fence' as const),
  maxBytes: fc.constantFrom(786_432, 1200),
});

function teams(most: number): fc.Arbitrary<Team[]> {
  return fc
    .tuple(rules, fc.array(squads, { minLength: 1, maxLength: most }))
    .map(([{ routing, agentTurns }, all]) =>
      all.map(({ agents, present, guard, maxBytes }) =>
        teamOf(
          // Who came back as it was leaves no fact.
          agents.filter(({ name }) => most > 1 || present.includes(name)),
          { routing, limits: { ...LIMITS, agentTurns }, context: { guard, maxBytes } },
        ),
      ),
    );
}

type Deed =
  | 'cancel'
  | 'drop'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'settled'
  | 'reopen'
  | 'crash'
  | 'fork'
  | 'fork-with-queue'
  | { readonly says: string }
  | { readonly renames: string };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  words.map((says) => ({ says })),
  fc.constantFrom('Sign-in', '').map((renames) => ({ renames })),
  fc.constantFrom(
    ...([
      'cancel',
      'drop',
      'pause',
      'resume',
      'retry',
      'settled',
      'settled',
      'reopen',
      'reopen',
      'crash',
      'fork',
      'fork-with-queue',
    ] as const),
  ),
);

/** The same ones every day, so that only a change makes them fail; new ones where there is time to look. */
const RUNS = isFull ? { numRuns: 2000 } : { numRuns: tries(60), seed: 20_261_115 };

/** Holds a conversation, opened anew now and then, by the same team or the next. */
async function hold(
  [first, ...others]: readonly Team[],
  deeds: readonly Deed[],
  answers: readonly Answer[],
): Promise<{ events: RecordedEvent[]; team: Team }> {
  const store = new MemoryStore();
  const play = playAll(answers);
  const upcoming = [...others];
  let team = first as Team;
  let conversation: Conversation = await startWith(store, team, play, ID);
  let id = ID;
  const openAgain = async (takeOver: boolean) => {
    team = upcoming.shift() ?? team;
    conversation = await resumeWith(store, id, team, play, { takeOver });
  };
  const fork = async (keepQueue: boolean) => {
    await conversation.close();
    ({ id } = await forkConversation(store, id, { keepQueue, as: `${id}-f` as ConversationId }));
    await openAgain(false);
  };
  for (const what of deeds) {
    if (what === 'drop') await conversation.cancel({ drop: true });
    else if (what === 'fork' || what === 'fork-with-queue') await fork(what !== 'fork');
    else if (what === 'crash') await openAgain(true);
    else if (what === 'reopen') await conversation.close().then(() => openAgain(false));
    else if (typeof what === 'string') await conversation[what]();
    else if ('says' in what) await conversation.send(what.says);
    else await conversation.rename(what.renames);
  }
  await conversation.settled();
  await conversation.close();
  return { events: await toArray((await store.read(id)).read()), team };
}

test.each([1, 4])('opened again by up to %i teams, a conversation plays as it was', async (most) => {
  await fc.assert(
    fc.asyncProperty(
      teams(most),
      fc.array(deed, { minLength: 4, maxLength: 25, size: 'max' }),
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      async (all, deeds, answers) => {
        const { events, team } = await hold(all, deeds, answers);
        const played = await playCassette({ team, events });
        expect(played.differences).toEqual([]);
        // Openings one after the other by different teams count as one.
        if (most === 1) expect(played.events).toEqual(events);
      },
    ),
    RUNS,
  );
});

test('played by any other team, it comes to an end and says what differs', async () => {
  await fc.assert(
    fc.asyncProperty(
      teams(1),
      teams(1),
      fc.array(deed, { minLength: 4, maxLength: 25, size: 'max' }),
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      async (one, [other], deeds, answers) => {
        const { events } = await hold(one, deeds, answers);
        const played = await playCassette({ team: other as Team, events });
        for (const difference of played.differences)
          expect(formatDifferences([difference], new Map())).not.toEqual([]);
        const isSame = isDeepStrictEqual(one[0]?.members, other?.members);
        if (!isSame) expect(played.differences).not.toEqual([]);
      },
    ),
    RUNS,
  );
});

test('by the team that it was held with before the last opening, it says what differs', async () => {
  const [first, last] = (['fence', 'on'] as const).map((guard) =>
    teamOf([agentNamed('max')], { context: { guard, maxBytes: 786_432 } }),
  ) as [Team, Team];
  const { events } = await hold([first, last], [{ says: 'Hello.' }, 'settled', 'reopen'], [{ text: 'Yes.' }]);
  const { differences } = await playCassette({ team: first, events });
  expect(differences).toEqual([
    { kind: 'settings', memberId: 'max', field: 'guard', before: 'on', now: 'fence' },
  ]);
});

test('by a team whose limit lets more of a blind round start, it ends there', async () => {
  const limited = (agentTurns: number) =>
    teamOf(
      NAMES.map((name) => agentNamed(name)),
      { routing: { fallback: 'human', fanout: 'blind' }, limits: { ...LIMITS, agentTurns } },
    );
  const deeds = [{ says: 'Hello.' }, 'settled', { says: 'Hello.' }, 'resume'] as const;
  const { events } = await hold([limited(4)], deeds, [{ text: '[NEXT: all] Go.' }]);
  const { differences } = await playCassette({ team: limited(5), events });
  expect(differences).toEqual([{ kind: 'not-recorded', turnId: 'turn-5', memberId: 'carol' }]);
});

test.each(['fork', 'fork-with-queue'] as const)(
  'after a %s, also of a fork, it plays as it was',
  async (fork) => {
    const team = teamOf(NAMES.map((name) => agentNamed(name, { memory: 'session' })));
    const ask = { says: '[NEXT: max, sarah] Which?' };
    const deeds = [ask, 'pause', 'settled', fork, 'resume', 'settled', fork, ask, 'settled'] as const;
    const { events } = await hold([team], deeds, [{ text: 'Yes. [NEXT: carol]' }, { text: 'No.' }]);
    expect(events.filter(({ type }) => type === 'conversation-forked')).toHaveLength(2);
    expect(await playCassette({ team, events })).toEqual({ events, differences: [], notes: [] });
  },
);

const ask = { says: '[NEXT: max, sarah, carol] Which?' };
const hello = { says: 'Hello.' };

/** Found among thousands: in a fork a turn is chosen some time before it starts. */
test.each<[string, readonly Deed[]]>([
  [
    'a stop and messages',
    [
      ...[ask, hello, 'fork-with-queue', 'retry', 'fork-with-queue', hello, 'drop', 'reopen'],
      ...[ask, hello, hello, hello, hello],
    ] as const,
  ],
  [
    'the end of a pause and a message',
    [hello, 'fork', hello, 'reopen', 'resume', { says: 'Now. [NEXT: carol]' }, 'settled', 'cancel', hello],
  ],
])('in a fork, with %s while a turn is chosen, it plays as it was', async (_, deeds) => {
  const agents = NAMES.map((name) => agentNamed(name, { memory: 'session' }));
  for (const fanout of ['blind', 'sequential'] as const) {
    const routing = { fallback: 'human', fanout } as const;
    const team = teamOf(agents, { routing, limits: { ...LIMITS, agentTurns: 2 } });
    const { events } = await hold([team], deeds, [{ text: 'Hello.' }, 'fail']);
    expect(await playCassette({ team, events })).toEqual({ events, differences: [], notes: [] });
  }
});
