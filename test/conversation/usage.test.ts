import { expect, test } from 'vitest';
import { priceUsage, summarizeUsage, type TurnUsageEntry } from '../../src/conversation/usage.js';
import type { RecordedUsage } from '../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../src/models/ids.js';

const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 200_000 };
const price = { model: 'gpt', input: 1.25, output: 10 };

test('what the agent reports is taken as it is, even with a price in the team file', () => {
  expect(priceUsage({ ...usage, usd: 0 }, 'gpt', [price])).toEqual({ ...usage, usd: 0, price: 'reported' });
});

test('tokens are priced by the model; cached input costs as input unless it has a price', () => {
  expect(priceUsage(usage, 'gpt', [price])).toEqual({ ...usage, usd: 3.25, price: 'estimated' });
  const cheaper = { ...price, cachedInput: 0.125 };
  expect(priceUsage(usage, 'gpt', [cheaper])).toEqual({ ...usage, usd: 2.8, price: 'estimated' });
});

test.each([undefined, 'other'])('nobody knows the price of model %s', (model) => {
  expect(priceUsage(usage, model, [price])).toEqual({ ...usage, price: 'unknown' });
});

test('usage sums up in all and by member, and says how much of it is known', () => {
  const entry = (turn: number, memberId: string, usage: RecordedUsage): TurnUsageEntry => ({
    turnId: `turn-${turn}` as TurnId,
    memberId: memberId as MemberId,
    usage,
  });
  const tokens = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 1 };
  const usage = summarizeUsage([
    entry(1, 'max', { ...tokens, usd: 0.5, price: 'reported' }),
    entry(2, 'sarah', { ...tokens, usd: 0.25, price: 'estimated' }),
    entry(3, 'max', { ...tokens, price: 'unknown' }),
  ]);
  expect(usage).toEqual({
    total: {
      turns: 3,
      inputTokens: 30,
      cachedInputTokens: 12,
      outputTokens: 3,
      usd: 0.75,
      prices: { reported: 1, estimated: 1, unknown: 1 },
    },
    members: [
      expect.objectContaining({ memberId: 'max', turns: 2, usd: 0.5 }),
      expect.objectContaining({ memberId: 'sarah', turns: 1, usd: 0.25 }),
    ],
  });
});
