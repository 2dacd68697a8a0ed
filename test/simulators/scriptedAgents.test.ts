import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentAdapter, SessionChoice } from '../../src/agents/AgentAdapter.js';
import { createAdapter } from '../../src/agents/definitions.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { turnRequest } from '../agents/turnRequest.js';
import { ScriptedAgents } from './ScriptedAgents.js';

const ask = { name: 'Bash', input: 'npm test', result: '3 passed', asks: true };
const SCRIPT = {
  max: [
    { text: 'A plan for "{asked}".', next: ['sarah'] },
    { text: ['Let me see.', 'Done.', 'Really.'], tools: [ask], usd: 0.5 },
    { text: ['Let me see.', 'Done.'], tools: [ask, { name: 'Other', ok: false }], usd: 0.25 },
    {
      text: ['', 'Looked.'],
      tools: [
        { name: 'Read', input: 'a.ts', result: 'text' },
        { name: 'Edit', input: 'b.ts', result: 'no', ok: false, change: { before: 'a', after: 'b' } },
      ],
    },
    {},
  ],
};

test('agents of a script that are played here say and ask what the process says and asks', async () => {
  const told = await Promise.all([
    playScript(new ScriptedAgents(SCRIPT)),
    playScript(createAdapter('acp', { rehearsal: { script: SCRIPT } })),
  ]);
  expect(told[0]).toEqual(told[1]);
  expect(told[0]).toHaveLength(SCRIPT.max.length);
});

/** The events of each turn, with no word in them that another run would not say. */
async function playScript(adapter: AgentAdapter): Promise<AgentEvent[][]> {
  onTestFinished(() => adapter.close?.());
  const answers = ['deny', 'allow'] as const;
  let questions = 0;
  let session: SessionChoice = { kind: 'new' };
  const turns: AgentEvent[][] = [];
  for (const _ of SCRIPT.max) {
    const request = turnRequest({
      prompt: '[MESSAGE]\nBuild it.',
      workingFolder: tmpdir(),
      systemFlag: 'You are Max.',
      session,
      askPermission: async () => answers[questions++ % 2] ?? 'deny',
    });
    const events: AgentEvent[] = [];
    for await (const event of adapter.runTurn(request, new AbortController().signal)) {
      if (event.type === 'session') session = { kind: 'resume', sessionId: event.sessionId };
      events.push(event);
    }
    turns.push(withoutIds(events));
  }
  return turns;
}

function withoutIds(events: readonly AgentEvent[]): AgentEvent[] {
  const ids = new Map<string, string>();
  const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gu;
  return JSON.parse(
    JSON.stringify(events).replaceAll(uuid, (id) => {
      ids.set(id, ids.get(id) ?? `id-${ids.size}`);
      return ids.get(id) ?? '';
    }),
  );
}
