import { expect, test } from 'vitest';
import { enqueue, nextTurns, remove } from '../../src/conversation/TurnQueue.js';
import type { QueuedTurn } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';

const turn = (id: string, blindRound?: string): QueuedTurn => ({
  turnId: id as TurnId,
  memberId: 'max' as MemberId,
  triggeredBy: 'msg-1' as MessageId,
  ...(blindRound && { blindRound: blindRound as TurnId }),
});
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => turn(id)) as [
  QueuedTurn,
  QueuedTurn,
  QueuedTurn,
  QueuedTurn,
];

test('turns join at the back in order, and those of people at the front', () => {
  expect(enqueue([a], [b, c], 'back')).toEqual([a, b, c]);
  expect(enqueue([a], [b, c], 'front')).toEqual([b, c, a]);
});

test('turns are taken out by id, unknown ids change nothing', () => {
  expect(remove([a, b, c, d], ['c', 'a', 'x'] as TurnId[])).toEqual([b, d]);
});

test('nothing is next in an empty queue, otherwise the first turn', () => {
  expect(nextTurns([])).toEqual([]);
  expect(nextTurns([a, b])).toEqual([a]);
});

test('all waiting turns of a blind round are next together, wherever they stand', () => {
  const [x, y] = [turn('x', 'x'), turn('y', 'x')];
  expect(nextTurns([x, a, y, turn('z', 'z')])).toEqual([x, y]);
  expect(nextTurns([a, x, y])).toEqual([a]);
});
