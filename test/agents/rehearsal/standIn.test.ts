import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { type AdapterOptions, createAdapter } from '../../../src/agents/definitions.js';
import { turnRequest } from '../turnRequest.js';

const folder = mkdtempSync(join(tmpdir(), 'huddle-stand-in-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function ask(
  rehearsal: AdapterOptions['rehearsal'],
  parts: Partial<TurnRequest> = {},
): Promise<string> {
  const adapter = createAdapter('claude', { rehearsal });
  for await (const event of adapter.runTurn(turnRequest(parts), new AbortController().signal))
    if (event.type === 'end')
      return event.outcome.kind === 'completed' ? event.outcome.text : event.outcome.kind;
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

test('without a script it says who it is and what it was asked, and hands over as told', async () => {
  expect(await ask({ next: ['sarah'] }, { prompt: 'Your task:\nName three birds.' })).toBe(
    'max here, in rehearsal. I was asked: "Name three birds.".\n\n[NEXT: sarah]',
  );
});

test('is told what to play even in a minimal environment', async () => {
  expect(await ask({ script: [{ text: 'Heard.' }] }, { env: 'minimal' })).toBe('Heard.');
});

test('an empty prompt is refused, as the real programs refuse it', async () => {
  expect(await ask({}, { prompt: ' \n' })).toBe('failed');
});
