import { expect, test } from 'vitest';
import { AgentManager } from '../../src/agents/AgentManager.js';
import { INITIAL_STATE } from '../../src/conversation/ConversationState.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import type { ConversationId } from '../../src/models/ids.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { answers, stageInProcess } from './stage.js';
import { agent, person, team } from './teams.js';

test('the first facts of a conversation are who takes part, what the task is and what each agent is told', async () => {
  const members = [person(), agent('max', { title: 'Architect' })];
  const { conversation, log } = await stageInProcess(team(members, { task: 'Ship it' }), () =>
    answers('Yes.'),
  );
  expect(log()).toMatchObject([
    {
      seq: 1,
      type: 'conversation-start',
      conversationId: conversation.id,
      isRehearsal: false,
      team: {
        name: 'squad',
        members: [
          { id: 'kailai', name: 'kailai', type: 'human' },
          {
            id: 'max',
            name: 'max',
            type: 'ai',
            title: 'Architect',
            agentType: 'claude-code',
            permission: 'read',
          },
        ],
      },
    },
    { seq: 2, type: 'task-changed', task: 'Ship it' },
    { seq: 3, type: 'profile-changed', memberId: 'max', profile: { window: 20, agentType: 'claude-code' } },
  ]);
  expect(conversation.id).toMatch(/^\d{8}-\d{4}-[0-9a-f]{4}$/u);
  expect(conversation.snapshot()).toEqual({
    phase: { kind: 'idle' },
    messages: [],
    teamTask: 'Ship it',
    state: INITIAL_STATE,
  });
});

test('an id that is taken gives way to another one', async () => {
  const store = new MemoryStore();
  await store.create('taken' as ConversationId);
  const ids = ['taken', 'free'] as ConversationId[];
  const conversation = await new ConversationStarter().start({
    team: team([person(), agent('max')]),
    store,
    agents: new AgentManager({ workingFolder: '.' }),
    createId: () => ids.shift() as ConversationId,
  });
  expect(conversation.id).toBe('free');
});
