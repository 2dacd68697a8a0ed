// Starts a conversation in this terminal, as the tests order it: node program.mjs '{"script": …}'
import { fileURLToPath } from 'node:url';
import { english } from '../../../compiled/catalogue/english.js';
import { createConversation } from '../../../compiled/createConversation.js';
import { runTerminal } from '../../../compiled/frontends/tui/runTerminal.js';

const order = JSON.parse(process.argv[2] ?? '{}');

const agentDefaults = {
  type: 'ai',
  permission: 'read',
  allow: [],
  deny: [],
  memory: 'window',
  window: 20,
  visibility: 'all',
  env: 'inherit',
};
const slowAgent = [process.execPath, fileURLToPath(new URL('./slowAgent.mjs', import.meta.url))];
const members = [
  { id: 'kailai', name: 'kailai', type: 'human' },
  { id: '小明', name: '小明', type: 'human' },
  { ...agentDefaults, id: 'max', name: 'max', title: 'Architect', agentType: 'claude-code' },
  { ...agentDefaults, id: 'sarah', name: 'sarah', agentType: 'openai-codex', permission: 'edit' },
  {
    ...agentDefaults,
    id: 'slow',
    name: 'slow',
    agentType: 'command',
    command: [...slowAgent, order.gate ?? ''],
  },
  {
    ...agentDefaults,
    id: 'echo',
    name: 'echo',
    agentType: 'command',
    command: ['sh', '-c', order.echo ?? 'cat'],
  },
];

const conversation = await createConversation({
  team: {
    name: 'auth-squad',
    ...(order.task && { task: order.task }),
    members: members.filter(({ name }) => (order.members ?? ['kailai', 'max', 'sarah']).includes(name)),
    routing: { fallback: 'human', fanout: 'sequential' },
    limits: {
      agentTurns: 20,
      pairTurns: 6,
      sameAnswer: 3,
      addressees: 8,
      queue: 50,
      parallel: 8,
      idleMinutes: 10,
      turnMinutes: 30,
      ...order.limits,
    },
    prices: [],
    context: { maxBytes: 786432, guard: 'on' },
  },
  ...(order.script && { rehearsal: { script: order.script } }),
});

const why = order.why && ((argument) => `${order.why} ${argument}`);
if (order.crashOn)
  conversation.subscribe((event) => {
    if (event.type === order.crashOn)
      setImmediate(() => {
        throw new Error('a crash for the test');
      });
  });

try {
  const exit = await runTerminal(conversation, { words: english, why });
  await conversation.close();
  console.log(`exit: ${JSON.stringify(exit)}`);
} catch (error) {
  console.log(`crashed: ${error.message}`);
  process.exitCode = 1;
  await conversation.close();
}
