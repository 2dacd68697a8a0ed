import { expect, test } from 'vitest';
import { totalsOf } from '../../src/frontends/view.js';
import { completed, max, record, sarah, turn, viewOf } from './events.js';

test('totals name the members whose price nobody knows, once', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5 };
  const end = (memberId: typeof max, price: 'reported' | 'unknown', usd?: number) =>
    record({
      type: 'turn-end',
      turnId: turn(1),
      memberId,
      result: completed,
      milliseconds: 500,
      usage: { ...usage, price, ...(usd !== undefined && { usd }) },
    });
  expect(
    totalsOf(viewOf([end(max, 'reported', 0.25), end(sarah, 'unknown'), end(sarah, 'unknown')])),
  ).toEqual({
    turns: 3,
    milliseconds: 1500,
    inputTokens: 30,
    outputTokens: 15,
    usd: 0.25,
    isEstimated: false,
    unpriced: [sarah],
  });
});
