import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../src/agents/AgentManager.js';
import type { MemberId } from '../../src/models/ids.js';
import type { AgentMember } from '../../src/models/Team.js';
import { VENDOR_CREDENTIALS } from '../../src/models/vendorCredentials.js';
import { bundleVendorAgent, vendorCommand } from '../simulators/vendorCommand.js';

const max: AgentMember = {
  type: 'ai',
  id: 'max' as MemberId,
  name: 'max',
  agentType: 'claude-code',
  permission: 'read',
  allow: [],
  deny: [],
  visibility: 'all',
  memory: 'window',
  window: 20,
  env: 'inherit',
};

let simulator: string;
beforeAll(async () => {
  simulator = await bundleVendorAgent();
});

/** One turn of a simulated Claude Code. */
const send = (turn: object, ...rest: readonly [string, string?, AbortSignal?]) => {
  const command = vendorCommand(simulator, 'claude', { script: [turn] });
  return new AgentManager({ workingFolder: tmpdir() }).send({ ...max, command }, ...rest);
};

test('send gives the answer', async () => {
  expect(await send({ text: 'Hello, 小明.' }, '[MESSAGE]\nHi', 'You are Max.')).toBe('Hello, 小明.');
});

test('send throws what failed, with its code, the member and the draft', async () => {
  await expect(send({ text: 'Half', failure: 'no-final-event' }, 'Hi')).rejects.toMatchObject({
    name: 'AgentTurnError',
    code: 'NO_FINAL_EVENT',
    memberName: 'max',
    outcome: { kind: 'failed', draft: 'Half' },
  });
});

test('a refused login says so in the message', async () => {
  await expect(send({ failure: 'auth' }, 'Hi')).rejects.toThrow(
    /^max: the turn failed \(AUTH, login-needed\)/,
  );
});

test('a cancelled send is told apart from a failed one', async () => {
  await expect(send({}, 'Hi', undefined, AbortSignal.abort())).rejects.toMatchObject({
    code: 'TURN_CANCELLED',
    message: 'max: the turn was cancelled.',
  });
});

test('a turn is asked for with what the member and the conversation say', async () => {
  const requests: TurnRequest[] = [];
  const manager = new AgentManager({
    workingFolder: '/project',
    createAdapter: () => ({
      async *runTurn(request) {
        requests.push(request);
        yield { type: 'end', outcome: { kind: 'completed', text: '' } };
      },
    }),
  });
  const own = { model: 'sonnet', permission: 'edit', command: ['my-claude'], deny: ['WebFetch'] } as const;
  const member = { ...max, ...own };
  const session = { kind: 'resume', sessionId: 's-1' } as const;
  const askPermission = async () => 'deny' as const;
  const turn = manager.runTurn(
    member,
    { prompt: 'p', systemFlag: 's', session, askPermission },
    new AbortController().signal,
  );
  for await (const event of turn) expect(event.type).toBe('end');
  expect(requests).toEqual([
    {
      memberName: 'max',
      prompt: 'p',
      systemFlag: 's',
      workingFolder: '/project',
      projectFolder: '/project',
      permission: 'edit',
      allow: [],
      deny: ['WebFetch'],
      askPermission,
      session,
      model: 'sonnet',
      command: ['my-claude'],
      env: 'inherit',
      credentials: VENDOR_CREDENTIALS.anthropic,
      limits: { idleMilliseconds: 600_000, totalMilliseconds: 1_800_000 },
      sessionTotals: undefined,
    },
  ]);
});
