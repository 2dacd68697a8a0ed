import { AgentManager } from '../agents/AgentManager.js';
import { createAdapter } from '../agents/definitions.js';
import { ContextManager } from '../context/ContextManager.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember } from '../models/Team.js';
import { MessageRouter } from '../routing/MessageRouter.js';
import { foldName } from '../utils/foldName.js';

interface StandIn {
  readonly name: string;
  readonly agentType: string;
  readonly systemInstruction: string;
  readonly reply: string;
}

const team: readonly StandIn[] = [
  {
    name: 'ada',
    agentType: 'claude',
    systemInstruction: 'You are Ada, the architect.',
    reply: 'Tokens in a signed cookie, sessions on the server. Ben, where does that break?\n\n[NEXT: ben]',
  },
  {
    name: 'ben',
    agentType: 'codex',
    systemInstruction: 'You are Ben, the reviewer.',
    reply: 'Only where the key leaks. Rotate the signing key and it holds.',
  },
];

const opening = '[TEAM_TASK] Design a sign-in for the team wiki\n\nHow would you build it? [NEXT: ada]';

/** Runs a short conversation of two stand-ins and prints it, with the prompt of every turn. */
export async function main(_args: readonly string[]): Promise<void> {
  const context = new ContextManager();
  const router = new MessageRouter();
  const script = Object.fromEntries(team.map(({ name, reply }) => [name, [{ text: reply }]]));
  const manager = new AgentManager({
    workingFolder: process.cwd(),
    createAdapter: (agentType) => createAdapter(agentType, { rehearsal: { script } }),
  });
  print(
    'A rehearsal: two built-in stand-ins, each a process of its own. No agent is called, nothing is spent.',
  );

  const task = router.parseMessage(opening).teamTask;
  if (task !== null) context.setTeamTask(task);
  let message = context.addMessage({ content: opening, speaker: { roleId: 'you', type: 'human' } });
  print(`\nyou: ${message.content}`);
  for (let next = findAddressee(router, message.content); next !== undefined; ) {
    const { name, agentType, systemInstruction } = next;
    const input = context.getContextForAgent(name, agentType, { systemInstruction });
    const { prompt, systemFlag } = context.assemblePrompt(agentType, input);
    print(`\n--- what ${name} is sent ---`);
    if (systemFlag !== undefined) print(`(system) ${systemFlag}\n`);
    print(`${prompt}\n---`);
    const content = await manager.send(memberOf(next), prompt, systemFlag);
    message = context.addMessage({ content, speaker: { roleId: name, type: 'ai' } });
    print(`\n${name}: ${message.content}`);
    next = findAddressee(router, message.content);
  }
}

function memberOf({ name, agentType }: StandIn): AgentMember {
  return {
    id: name as MemberId,
    name,
    type: 'ai',
    agentType,
    permission: 'read',
    allow: [],
    deny: [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
  };
}

function findAddressee(router: MessageRouter, content: string): StandIn | undefined {
  const [name = ''] = router.parseMessage(content).addressees;
  return team.find((member) => foldName(member.name) === foldName(name));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
