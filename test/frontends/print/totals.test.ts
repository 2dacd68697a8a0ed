import { expect, test } from 'vitest';
import { totalsOf } from '../../../src/frontends/print/totals.js';
import type { TurnEnd } from '../../../src/models/ConversationEvent.js';
import { completed, max, sarah, turn } from '../events.js';

test('totals name the members whose price nobody knows, once', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5 };
  const end = (memberId: typeof max, price: 'reported' | 'unknown', usd?: number) =>
    ({
      type: 'turn-end',
      turnId: turn(1),
      memberId,
      result: completed,
      milliseconds: 500,
      usage: { ...usage, price, ...(usd !== undefined && { usd }) },
    }) satisfies TurnEnd;
  expect(totalsOf([end(max, 'reported', 0.25), end(sarah, 'unknown'), end(sarah, 'unknown')])).toEqual({
    turns: 3,
    milliseconds: 1500,
    inputTokens: 30,
    outputTokens: 15,
    usd: 0.25,
    isEstimated: false,
    unpriced: [sarah],
  });
});
