// M4: a fact at a follower over the time until it is kept, and the words of an agent.
import { AgentManager } from '../../compiled/agents/AgentManager.js';
import { ConversationStarter } from '../../compiled/coordinator/ConversationStarter.js';
import { holdShared, openShared } from '../../compiled/machines/JoinedConversation.js';
import { openPostgresStore } from '../../compiled/postgres.js';
import { goal, median } from '../measure.mjs';
import { agentNamed, teamOf } from '../team.mjs';

const ROUNDS = 60;
const WORDS = 40;
const BETWEEN_WORDS_MILLISECONDS = 150;

export async function measureFollowing(server) {
  const [near, far] = [await open(server, 'kim'), await open(server, 'bob')];
  const team = teamOf([agentNamed('max')]);
  team.members = [
    ...['kim', 'bob'].map((name) => ({ type: 'human', id: name, name })),
    ...team.members.slice(1),
  ];
  const said = [];
  const agents = new AgentManager({
    workingFolder: server.folder,
    createAdapter: () => ({ runTurn: () => speak(said) }),
  });
  const held = await new ConversationStarter().start({ team, store: near, agents });
  const { id } = held;
  const hold = () => Promise.reject(new Error('It is held'));
  const joined = await holdShared({ store: near, id, team, hold }, held);
  const follower = await openShared({
    store: far,
    id,
    team,
    hold: ({ takeOver }) => new ConversationStarter().resume({ id, team, store: far, agents, takeOver }),
  });
  await facts(held, follower);
  await words(joined, follower, said);
  await follower.close();
  await joined.close();
  await near.close();
  await far.close();
}

const open = (server, role) => openPostgresStore({ url: server.url(role), host: role });

async function facts(held, follower) {
  const [kept, seen] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const title = `Title ${round}`;
    const arrived = new Promise((resolve) => {
      const unsubscribe = follower.subscribe((event) => {
        if (event.type !== 'conversation-renamed' && event.title !== title) return;
        unsubscribe();
        resolve(performance.now() - start);
      });
    });
    await held.rename(title);
    kept.push(performance.now() - start);
    seen.push(await arrived);
  }
  console.log(
    `a fact is kept after ${median(kept).toFixed(2)} ms and at the follower after ${median(seen).toFixed(2)} ms`,
  );
  goal('M4 a fact at a follower over the time until it is kept', median(seen) / median(kept), 2.5, 'x');
}

async function* speak(said) {
  for (let number = 0; number < WORDS; number++) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_WORDS_MILLISECONDS));
    said.push(performance.now());
    yield { type: 'text-delta', text: `word-${number} ` };
  }
  yield { type: 'end', outcome: { kind: 'completed', text: 'Done.' } };
}

async function words(joined, follower, said) {
  const heard = [];
  const unsubscribe = follower.subscribe((event) => {
    const text = event.type === 'turn-progress' ? String(event.event.text ?? '') : '';
    for (const [, number] of text.matchAll(/word-(\d+)/gu))
      heard.push(performance.now() - said[Number(number)]);
  });
  await joined.send('Go. @max', { as: 'kim' });
  await joined.settled();
  unsubscribe();
  console.log(
    `${heard.length} of ${WORDS} words of an agent are at the follower after ${median(heard).toFixed(2)} ms`,
  );
  goal('M4 words of an agent at a follower', median(heard), 5, ' ms');
}
