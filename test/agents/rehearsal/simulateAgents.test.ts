import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { AgentAdapter, TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { type AdapterOptions, createAdapter } from '../../../src/agents/definitions.js';
import { turnRequest } from '../turnRequest.js';

const folder = mkdtempSync(join(tmpdir(), 'huddle-simulated-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function ask(
  rehearsal: AdapterOptions['rehearsal'],
  parts: Partial<TurnRequest> = {},
  agentType = 'claude',
): Promise<string> {
  const adapter = createAdapter(agentType, { rehearsal });
  try {
    return await answerOf(adapter, parts);
  } finally {
    await adapter.close?.();
  }
}

async function answerOf(adapter: AgentAdapter, parts: Partial<TurnRequest> = {}): Promise<string> {
  for await (const event of adapter.runTurn(turnRequest(parts), new AbortController().signal)) {
    if (event.type !== 'end') continue;
    const { outcome } = event;
    return outcome.kind === 'completed' ? outcome.text : `${outcome.kind}: ${outcome.draft}`;
  }
  throw new Error('no end');
}

test('plays a script from a file, turn after turn, each member its own', async () => {
  const scriptFile = join(folder, 'script.json');
  writeFileSync(
    scriptFile,
    JSON.stringify({ max: [{ text: 'One.' }, { text: 'Two.' }], tom: [{ text: 'Me.' }] }),
  );
  const rehearsal = { scriptFile, stateFolder: join(folder, 'state') };
  expect(await ask(rehearsal)).toBe('One.');
  expect(await ask(rehearsal, { memberName: 'tom' })).toBe('Me.');
  expect(await ask(rehearsal)).toBe('Two.');
  expect(await ask(rehearsal)).toBe('One.');
});

test('without a script it says who it is and what it was asked, and hands off as told', async () => {
  expect(await ask({ next: ['sarah'] }, { prompt: 'Your task:\nName three birds.' })).toBe(
    'max here, in rehearsal. I was asked: "Name three birds.".\n\n[NEXT: sarah]',
  );
});

test('is told what to play even in a minimal environment', async () => {
  expect(await ask({ script: [{ text: 'Heard.' }] }, { env: 'minimal' })).toBe('Heard.');
});

test.each([
  ['claude', { model: 'opus', session: { kind: 'fork', sessionId: 'x' } }],
  ['codex', { model: 'gpt', session: { kind: 'resume', sessionId: 'x' } }],
  ['gemini', { permission: 'edit', allow: ['a'], deny: ['b'] }],
  ['command', { command: ['/no/such/program'] }],
  ['acp', { command: ['/no/such/program'] }],
] as const)(
  'takes the place of a %s member, whatever its model, session and program',
  async (type, parts) => {
    expect(await ask({ script: [{ text: 'Here.' }] }, parts, type)).toBe('Here.');
  },
);

test('plays a script turn after turn in one process, without a folder to count in', async () => {
  const adapter = createAdapter('claude', { rehearsal: { script: [{ text: 'One.' }, { text: 'Two.' }] } });
  onTestFinished(() => adapter.close?.());
  const texts = [await answerOf(adapter), await answerOf(adapter), await answerOf(adapter)];
  expect(texts).toEqual(['One.', 'Two.', 'One.']);
});

test('what came before it ends without a final event is a draft', async () => {
  expect(await ask({ script: [{ text: 'Half of', failure: 'no-final-event' }] })).toBe('failed: Half of');
});
