import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../../../src/agents/process/environment.js';
import { followAgent } from '../../../src/agents/process/followAgent.js';
import { OutputChunks } from '../../../src/agents/process/OutputChunks.js';
import { spawnAgent } from '../../../src/agents/process/spawnAgent.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import { turnRequest } from '../turnRequest.js';
import { hostileDialect } from './hostileAgent.js';

/** A program that has exited, and an output that stays open: whoever holds it can be neither found nor killed. */
async function startHeld(said: string) {
  const result = await spawnAgent({
    command: ['sh', '-c', 'exit 0'],
    args: [],
    environment: childEnvironment({
      parent: process.env,
      mode: 'inherit',
      ownCredentials: [],
      extra: {},
    }),
    workingFolder: tmpdir(),
    stdin: '',
  });
  if (result.kind === 'failed') throw new Error(result.failure.reason);
  const held = new PassThrough();
  onTestFinished(() => {
    held.destroy();
  });
  held.write(said);
  return { ...result.agent, stdout: new OutputChunks(held) };
}

test('a turn ends with its program although somebody else holds the output open', async () => {
  const request = turnRequest({ workingFolder: tmpdir() });
  const events: AgentEvent[] = [];
  const turn = {
    dialect: hostileDialect('plain', {}),
    request,
    signal: new AbortController().signal,
    options: {},
    identity: { memberName: request.memberName, command: ['sh'], environment: process.env },
  };
  for await (const event of followAgent(await startHeld('Done.\n'), turn)) events.push(event);
  expect(events.at(-1)).toEqual({ type: 'end', outcome: { kind: 'completed', text: 'Done.', exitCode: 0 } });
});
