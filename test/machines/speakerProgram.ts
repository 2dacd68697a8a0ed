// A process of its own that takes part in a shared conversation as its role, to be killed. `ROLE RUN ID URL TIMES`: says one
// message after the other, `bob 2.17` for the 17th of its second run, and prints of each what became of it.
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { AgentManager } from '../../src/agents/AgentManager.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { openShared } from '../../src/machines/JoinedConversation.js';
import { HuddleError } from '../../src/models/errors.js';
import type { ConversationId, MemberId } from '../../src/models/ids.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { teamOf } from '../store/stage.js';

const [role = '', run = '', id = '', url = '', times = ''] = process.argv.slice(2);
const people = ['bob', 'kim', 'lea'].map((name) => ({ type: 'human' as const, id: name as MemberId, name }));
const team = { ...teamOf([]), members: people };
const store = await openPostgresStore({ url, host: role, leaseTimes: JSON.parse(times) });
const conversation = await openShared({
  store,
  id: id as ConversationId,
  team,
  hold: ({ takeOver }) => {
    const agents = new AgentManager({
      workingFolder: tmpdir(),
      createAdapter: () => ({
        runTurn() {
          throw new Error('No agent is asked');
        },
      }),
    });
    return new ConversationStarter().resume({ store, id: id as ConversationId, team, agents, takeOver });
  },
});
writeSync(1, 'here\n');
for (let number = 1; ; number++) {
  const text = `${role} ${run}.${number}`;
  try {
    await conversation.send(`[NEXT: bob] ${text}`);
    writeSync(1, `said ${text}\n`);
  } catch (error) {
    writeSync(1, `refused ${text} ${error instanceof HuddleError ? error.code : String(error)}\n`);
  }
}
