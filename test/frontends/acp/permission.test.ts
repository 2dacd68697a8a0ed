import { join } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import type { Conversations } from '../../../src/coordinator/Conversations.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { hostileCommand } from '../../agents/acp/hostileAcpAgent.js';
import { createMachine, teamFile } from '../../cli/runHuddle.js';
import { openEditor } from './editor.js';

const QUESTION = { toolCallId: 'a', name: 'Bash', kind: 'execute', rawInput: { command: 'npm test' } };

/** A member asks to run a command; the editor answers. Returns what it was asked, and what was decided. */
async function ask(answer: (question: RequestPermissionRequest) => Promise<RequestPermissionResponse>) {
  const machine = createMachine();
  const steps = JSON.stringify([{ ask: QUESTION, as: 'a' }, { answer: 'a' }]);
  const max = { agentType: 'acp', command: hostileCommand('steps', join(machine.folder, 'pids'), steps) };
  machine.write('huddle.jsonc', teamFile({ max }, { files: { record: false } }));
  await machine.trust();
  const questions: RequestPermissionRequest[] = [];
  let house: Conversations | undefined;
  const editor = await openEditor({
    machine,
    wrap: (conversations) => {
      house = conversations;
      return conversations;
    },
    onPermission: (question) => {
      questions.push(question);
      return answer(question);
    },
  });
  const { sessionId } = await editor.create();
  const { stopReason } = await editor.prompt(sessionId, 'Test it.');
  const log = await house?.read(sessionId);
  const events = await toArray(log?.reader.read() ?? []);
  await log?.reader.close();
  const decisions = events.flatMap((event) => (event.type === 'permission-decided' ? event.decision : []));
  return { questions, decisions, stopReason };
}

function choose(kind: string) {
  return async ({ options }: RequestPermissionRequest): Promise<RequestPermissionResponse> => ({
    outcome: {
      outcome: 'selected',
      optionId: options.find((option) => option.kind === kind)?.optionId ?? '',
    },
  });
}

describe('a permission request', () => {
  test('is shown with the whole command, and allowed once', async () => {
    const { questions, decisions, stopReason } = await ask(choose('allow_once'));
    expect(questions.map(({ options }) => options.map(({ kind }) => kind))).toEqual([
      ['allow_once', 'reject_once'],
    ]);
    expect(JSON.stringify(questions)).toContain('npm test');
    expect({ decisions, stopReason }).toEqual({ decisions: ['allowed'], stopReason: 'end_turn' });
  });

  test.each([
    ['is rejected', choose('reject_once')],
    ['is cancelled', async () => ({ outcome: { outcome: 'cancelled' as const } })],
    ['is answered with what was not on offer', choose('allow_always')],
    [
      'fails in the editor',
      async () => {
        throw new Error('No window.');
      },
    ],
  ])('that %s is denied', async (_title, answer) => {
    expect(await ask(answer)).toMatchObject({ decisions: ['denied'], stopReason: 'end_turn' });
  });
});
