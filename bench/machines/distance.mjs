// M3: a turn with many facts over one with none, where the database is far away.
import { AgentManager } from '../../compiled/agents/AgentManager.js';
import { ConversationStarter } from '../../compiled/coordinator/ConversationStarter.js';
import { openPostgresStore } from '../../compiled/postgres.js';
import { goal, median } from '../measure.mjs';
import { agentNamed, teamOf } from '../team.mjs';
import { took } from './appends.mjs';

const DISTANCE_MILLISECONDS = 40;
const ROUNDS = 7;
const team = teamOf([agentNamed('busy'), agentNamed('quiet')]);
team.limits = { ...team.limits, agentTurns: 1000, sameAnswer: 1000 };

export async function measureDistance(server) {
  const store = await openPostgresStore({ url: await server.urlAt('kim', DISTANCE_MILLISECONDS) });
  const agents = new AgentManager({ workingFolder: server.folder, createAdapter: () => ({ runTurn: play }) });
  const conversation = await new ConversationStarter().start({ team, store, agents });
  const costs = { busy: [], quiet: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const name of Object.keys(costs))
      costs[name].push(
        await took(async () => {
          await conversation.send(`Go. @${name}`);
          await conversation.settled();
        }),
      );
  await conversation.close();
  await store.close();
  const [busy, quiet] = [median(costs.busy), median(costs.quiet)];
  console.log(
    `at ${DISTANCE_MILLISECONDS} ms: a turn ${quiet.toFixed(0)} ms, with 80 facts of activity ${busy.toFixed(0)} ms`,
  );
  goal(`M3 turn with 80 facts over none, at ${DISTANCE_MILLISECONDS} ms`, busy / quiet, 2, 'x');
}

async function* play({ memberName }) {
  for (let number = 0; memberName === 'busy' && number < 40; number++) {
    const toolId = `tool-${number}`;
    yield { type: 'tool-start', toolId, name: 'Read', input: 'src/index.ts' };
    yield { type: 'tool-end', toolId, isError: false, output: 'ok' };
  }
  yield { type: 'end', outcome: { kind: 'completed', text: 'Done.' } };
}
