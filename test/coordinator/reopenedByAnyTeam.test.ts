import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import type { Team } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { answer, anyAgents, NAMES, playAll, words } from '../store/anyTalk.js';
import { ID } from '../store/facts.js';
import { LIMITS, resumeWith, startWith, teamOf } from '../store/stage.js';
import { tries } from '../tier.js';

const teams: fc.Arbitrary<Team> = fc
  .record({
    agents: anyAgents,
    present: fc.subarray(NAMES, { minLength: 1 }),
    routing: fc.record({
      fallback: fc.constantFrom('human' as const, 'round-robin' as const),
      fanout: fc.constantFrom('sequential' as const, 'same-question' as const, 'blind' as const),
    }),
    agentTurns: fc.integer({ min: 1, max: 8 }),
    guard: fc.constantFrom('on' as const, 'off' as const, 'fence' as const),
    maxBytes: fc.constantFrom(786_432, 1200),
  })
  .map(({ agents, present, routing, agentTurns, guard, maxBytes }) =>
    teamOf(
      agents.filter(({ name }) => present.includes(name)),
      { routing, limits: { ...LIMITS, agentTurns }, context: { guard, maxBytes } },
    ),
  );

type Deed =
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'settled'
  | 'reopen'
  | 'crash'
  | { readonly says: string };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  words.map((says) => ({ says })),
  fc.constantFrom('cancel', 'pause', 'resume', 'retry', 'settled', 'settled', 'reopen', 'reopen', 'crash'),
);

test('opened again by any team, a conversation goes on, ends each turn once, and every prompt can be explained', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(teams, { minLength: 1, maxLength: 4 }),
      fc.array(deed, { minLength: 4, maxLength: 25, size: 'max' }),
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      async ([first, ...others], deeds, answers) => {
        const store = new MemoryStore();
        const play = playAll(answers);
        const upcoming = [...others];
        let team = first as Team;
        let conversation: Conversation = await startWith(store, team, play, ID);
        const openAgain = async (takeOver: boolean) => {
          team = upcoming.shift() ?? team;
          conversation = await resumeWith(store, ID, team, play, { takeOver });
        };
        for (const what of deeds) {
          if (typeof what === 'object') await conversation.send(what.says);
          else if (what === 'crash') await openAgain(true);
          else if (what === 'reopen') await conversation.close().then(() => openAgain(false));
          else await conversation[what]();
        }
        await conversation.settled();
        await conversation.close();

        const events = await toArray((await store.read(ID)).read());
        const started = events.flatMap((event) => (event.type === 'turn-start' ? [event.turnId] : []));
        const ended = events.flatMap((event) => (event.type === 'turn-end' ? [event.turnId] : []));
        expect(new Set(ended).size).toBe(ended.length);
        expect(started.filter((turnId) => !ended.includes(turnId))).toEqual([]);
        expect((await toArray(explainTurns(events))).filter(({ isExact }) => !isExact)).toEqual([]);
      },
    ),
    { numRuns: tries(60) },
  );
});
