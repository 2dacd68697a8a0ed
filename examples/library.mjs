// A conversation of two agents, held by a program of yours: node examples/library.mjs
// `rehearsal` is a dry run with simulated agents; without it the real Claude Code and Codex reply.
import { createConversation, defineTeam } from 'agent-huddle';

const team = defineTeam({
  members: [
    { name: 'you', type: 'human' },
    { name: 'author', type: 'ai', agentType: 'claude', permission: 'edit' },
    { name: 'reviewer', type: 'ai', agentType: 'codex', systemInstruction: 'Review only; never edit.' },
  ],
  limits: { agentTurns: 8 },
});
const conversation = await createConversation({ team, rehearsal: {} });
conversation.subscribe((event) => {
  if (event.type === 'message-added')
    console.log(`${event.message.speaker.roleName}: ${event.message.content}`);
});
await conversation.send('Is the login safe? [NEXT: author, reviewer]');
await conversation.settled();
await conversation.close();
