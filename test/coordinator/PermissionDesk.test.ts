import { expect, test } from 'vitest';
import type { PermissionQuestion } from '../../src/agents/AgentAdapter.js';
import { PermissionDesk } from '../../src/coordinator/PermissionDesk.js';
import type { ConversationFact, QueuedTurn } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { agent } from './teams.js';

const turn: QueuedTurn = {
  turnId: 'turn-1' as TurnId,
  memberId: 'max' as MemberId,
  triggeredBy: 'msg-1' as MessageId,
};
const kim = 'kim' as MemberId;

/** A desk over a log that refuses to be written when it is told to. */
function openDesk() {
  const facts: ConversationFact[] = [];
  const failures: unknown[] = [];
  const disk = { isFull: false };
  const desk = new PermissionDesk({
    asksPeople: true,
    record: (added) => {
      if (disk.isFull) throw new Error('disk full');
      facts.push(...added);
    },
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
    signal: stop.signal,
  };
  return { desk, disk, facts, failures, stop, ask: () => desk.ask(agent('max'), turn, question) };
}

test('a question that cannot be written down is not answered, and that is said', async () => {
  const { ask, disk, failures } = openDesk();
  disk.isFull = true;
  expect(await ask()).toBe('cancelled');
  expect(failures).toHaveLength(1);
});

test('a decision that cannot be written down does not count, and can be made again', async () => {
  const { ask, desk, disk, facts } = openDesk();
  const answer = ask();
  disk.isFull = true;
  expect(() => desk.decide('r-1', 'allow', kim)).toThrow('disk full');
  disk.isFull = false;
  desk.decide('r-1', 'deny', kim);
  expect(await answer).toBe('deny');
  expect(facts.at(-1)).toMatchObject({ type: 'permission-decided', decision: 'denied' });
});

test('a question that is withdrawn while nothing can be written is cancelled all the same', async () => {
  const { ask, disk, failures, stop } = openDesk();
  const answer = ask();
  disk.isFull = true;
  stop.abort();
  expect(await answer).toBe('cancelled');
  expect(failures).toHaveLength(1);
});

test('a question that was withdrawn before it was asked waits for nobody', async () => {
  const { ask, facts, stop } = openDesk();
  stop.abort();
  expect(await ask()).toBe('cancelled');
  expect(facts.at(-1)).toMatchObject({ decision: 'cancelled', by: { kind: 'nobody' } });
});
