import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexCassette } from '../../src/cassette/openCassette.js';
import { Player } from '../../src/cassette/Player.js';
import { deed, live, names, play, routings, turns } from '../coordinator/randomConversation.js';
import { stageInProcess } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';
import { tries } from '../tier.js';

const limitsOfTeams = fc.record({
  agentTurns: fc.integer({ min: 1, max: 7 }),
  pairTurns: fc.integer({ min: 2, max: 5 }),
  sameAnswer: fc.integer({ min: 2, max: 4 }),
  addressees: fc.integer({ min: 1, max: 3 }),
  queue: fc.integer({ min: 1, max: 5 }),
  usd: fc.option(fc.constantFrom(0.5, 1), { nil: undefined }),
});

test('any conversation that is recorded and played comes out as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.array(deed, { maxLength: 5 }),
      routings,
      limitsOfTeams,
      async (script, deeds, routing, limits) => {
        const squad = team([person(), ...names.map((name) => agent(name))], { routing, limits });
        const scene = await stageInProcess(squad, play(script));
        await live(scene, deeds);
        await scene.conversation.close();
        const player = new Player(indexCassette(scene.log()), squad);
        const parting = await player.play();
        expect(player.log.events).toEqual(scene.log());
        expect(parting).toBeUndefined();
      },
    ),
    { numRuns: tries(200) },
  );
});
