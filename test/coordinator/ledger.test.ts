import { expect, test } from 'vitest';
import { priceUsage } from '../../src/coordinator/ledger.js';

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
