import { expect, test } from 'vitest';
import type { PermissionQuestion } from '../../src/agents/AgentAdapter.js';
import { PermissionBroker } from '../../src/coordinator/PermissionBroker.js';
import type { ConversationFact, QueuedTurn } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { agent } from './teams.js';

const turn: QueuedTurn = {
  turnId: 'turn-1' as TurnId,
  memberId: 'max' as MemberId,
  triggeredBy: 'msg-1' as MessageId,
};
const kim = 'kim' as MemberId;

/** A broker over a log that refuses to be written when it is told to. */
function openBroker() {
  const facts: ConversationFact[] = [];
  const failures: unknown[] = [];
  const disk = { isFull: false };
  const broker = new PermissionBroker({
    asksPeople: true,
    record: (added) => {
      if (disk.isFull) throw new Error('disk full');
      facts.push(...added);
    },
    kept: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  const stop = new AbortController();
  const question: PermissionQuestion = {
    requestId: 'r-1',
    name: 'Bash',
    input: 'npm test',
    kind: 'execute',
    title: 'npm test',
    command: 'npm test',
    paths: [],
    isInFolder: true,
    guards: [],
    extent: 'whole',
    isUnderstood: true,
    isAsked: true,
    signal: stop.signal,
  };
  const ask = (parts: Partial<PermissionQuestion> = {}) =>
    broker.ask(agent('max'), turn, { ...question, ...parts });
  return { broker, disk, facts, failures, stop, ask };
}

test('a question that cannot be written down is not answered, and that is said', async () => {
  const { ask, disk, failures } = openBroker();
  disk.isFull = true;
  expect(await ask()).toBe('cancelled');
  expect(failures).toHaveLength(1);
});

test('a decision that cannot be written down does not count, and can be made again', async () => {
  const { ask, broker, disk, facts } = openBroker();
  const answer = ask();
  disk.isFull = true;
  expect(() => broker.answer('r-1', 'allow', kim)).toThrow('disk full');
  disk.isFull = false;
  broker.answer('r-1', 'deny', kim);
  expect(await answer).toBe('deny');
  expect(facts.at(-1)).toMatchObject({ type: 'permission-decided', decision: 'denied' });
});

test('a question that is withdrawn while nothing can be written is cancelled all the same', async () => {
  const { ask, disk, failures, stop } = openBroker();
  const answer = ask();
  disk.isFull = true;
  stop.abort();
  expect(await answer).toBe('cancelled');
  expect(failures).toHaveLength(1);
});

test('a question that was withdrawn before it was asked waits for nobody', async () => {
  const { ask, facts, stop } = openBroker();
  stop.abort();
  expect(await ask()).toBe('cancelled');
  expect(facts.at(-1)).toMatchObject({ decision: 'cancelled', by: { kind: 'nobody' } });
});

test('a question is written down with all that its decision is based on', () => {
  const { ask, facts } = openBroker();
  const diffs = [{ path: 'a.txt', oldText: null, newText: 'new' }];
  void ask({ toolId: 't', paths: ['a.txt'], diffs, arguments: '{}' });
  expect(facts.map((fact) => 'event' in fact && fact.event)).toEqual([
    {
      type: 'permission-request',
      requestId: 'r-1',
      toolId: 't',
      name: 'Bash',
      input: 'npm test',
      kind: 'execute',
      title: 'npm test',
      command: 'npm test',
      paths: ['a.txt'],
      isInFolder: true,
      diffs,
      arguments: '{}',
      isOpen: true,
    },
  ]);
});

test('what cannot be shown whole is denied, and that is the reason', async () => {
  const { ask, facts } = openBroker();
  expect(await ask({ extent: 'too-long-to-show' })).toBe('deny');
  expect(facts).toMatchObject([{ event: { isOpen: false } }, { decision: 'denied', by: { kind: 'size' } }]);
});

test('a file that the permission covers is not written down, and one that it does not is', async () => {
  const { ask, facts } = openBroker();
  const file = { kind: 'read', command: undefined, paths: ['a.txt'], isAsked: false };
  expect(await ask(file)).toBe('allow');
  expect(facts).toEqual([]);
  void ask({ ...file, kind: 'edit' });
  expect(facts).toMatchObject([{ event: { kind: 'edit', isOpen: true } }]);
});
