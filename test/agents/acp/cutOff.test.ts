import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { turnRequest } from '../turnRequest.js';
import { createTestAdapter, hostileCommand } from './hostileAcpAgent.js';

const folder = mkdtempSync(join(tmpdir(), 'huddle-acp-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The agent that misbehaves, under the name of another one. */
function disguise(name: string, behaviour: string): readonly string[] {
  const file = join(folder, name);
  const [node, program] = hostileCommand(behaviour);
  writeFileSync(file, `#!/bin/sh\nexec '${node}' '${program}' "$1"\n`);
  chmodSync(file, 0o755);
  return [file, behaviour];
}

/** What is said of the session in a turn that is cancelled in the middle of its answer. */
async function cancelTurn(command: readonly string[]): Promise<unknown[]> {
  const abort = new AbortController();
  const said: unknown[] = [];
  for await (const event of createTestAdapter().runTurn(turnRequest({ command }), abort.signal)) {
    if (event.type === 'session') said.push(event.holdsPrompt);
    if (event.type === 'text-delta') abort.abort();
    if (event.type === 'end') said.push(event.outcome.kind);
  }
  return said;
}

test.each([
  ['claude-agent-acp', true],
  ['gemini', false],
  ['an-agent-nobody-knows', undefined],
])('a turn that %s ended on request says what its session holds: %s', async (name, holdsPrompt) => {
  expect(await cancelTurn(disguise(name, 'hangs'))).toEqual([undefined, holdsPrompt, 'cancelled']);
});

test.each([
  ['claude-agent-acp', undefined],
  ['gemini', false],
])('a turn that %s ended before it told of any work says of its session: %s', async (name, holdsPrompt) => {
  const abort = new AbortController();
  const said: unknown[] = [];
  const request = turnRequest({ command: disguise(name, 'slow') });
  for await (const event of createTestAdapter().runTurn(request, abort.signal)) {
    if (event.type === 'session') said.push(event.holdsPrompt);
    // The prompt goes out with what is told of its session.
    if (event.type === 'session') setImmediate(() => abort.abort());
    if (event.type === 'end') said.push(event.outcome.kind);
  }
  expect(said).toEqual([undefined, holdsPrompt, 'cancelled']);
});

test('an agent that had to be stopped has not said what its session holds', async () => {
  expect(await cancelTurn(disguise('claude-agent-acp', 'mute'))).toEqual([undefined, 'cancelled']);
});
