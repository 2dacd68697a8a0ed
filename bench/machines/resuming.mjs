// M5: opening a long conversation over reading it.
import { AgentManager } from '../../compiled/agents/AgentManager.js';
import { ConversationStarter } from '../../compiled/coordinator/ConversationStarter.js';
import { openPostgresStore } from '../../compiled/postgres.js';
import { goal, median } from '../measure.mjs';
import { agentNamed, teamOf } from '../team.mjs';
import { messageFact, took } from './appends.mjs';

const MESSAGES = 100_000;
const BATCH = 500;
const ROUNDS = 5;
const team = teamOf([agentNamed('max')]);

export async function measureResuming(server) {
  const store = await openPostgresStore({ url: server.url('kim') });
  const agents = new AgentManager({ workingFolder: server.folder, createAdapter: () => ({}) });
  const conversation = await new ConversationStarter().start({ team, store, agents });
  const { id } = conversation;
  for (let number = 1; number <= MESSAGES; number += BATCH) {
    conversation.record(Array.from({ length: BATCH }, (_, index) => messageFact(number + index)));
    await conversation.kept();
  }
  await conversation.close();
  const resume = async () => {
    const resumed = await new ConversationStarter().resume({ id, team, store, agents });
    await resumed.close();
  };
  await resume();
  const reading = await took(async () => {
    const reader = await store.read(id);
    for await (const _ of reader.read());
    await reader.close();
  });
  const costs = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await took(resume));
  await store.close();
  console.log(
    `${MESSAGES} messages: read in ${reading.toFixed(0)} ms, resumed and closed in ${median(costs).toFixed(1)} ms`,
  );
  goal('M5 resume over reading', median(costs) / reading, 0.01, 'x');
}
