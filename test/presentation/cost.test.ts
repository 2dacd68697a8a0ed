import { expect, test } from 'vitest';
import type { ConversationEvent, RecordedUsage } from '../../src/models/ConversationEvent.js';
import { TurnTotals } from '../../src/presentation/cost.js';
import { completed, max, record, sarah, turn, turnStarted } from '../frontends/events.js';

const usage = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5 };

test('totals name the members whose price is unknown, once', () => {
  const end = (number: number, memberId: typeof max, price: 'reported' | 'unknown', usd?: number) =>
    ended(number, 0, memberId, { ...usage, price, ...(usd !== undefined && { usd }) });
  expect(
    sumOf(end(1, max, 'reported', 0.25), end(2, sarah, 'unknown'), end(3, sarah, 'unknown')),
  ).toMatchObject({
    turns: 3,
    inputTokens: 30,
    outputTokens: 15,
    usd: 0.25,
    isEstimated: false,
    unpriced: [sarah],
  });
});

test.each([
  ['one after the other', [started(1, 100), ended(1, 400), started(2, 500), ended(2, 700)], 500],
  ['at once', [started(1, 100), started(2, 110), ended(1, 1100), ended(2, 1100)], 1000],
  ['before this process', [ended(1, 400), started(2, 500), ended(2, 700)], 200],
  ['while the clock was set back', [started(1, 400), ended(1, 100)], 0],
])('turns that ran %s took the time that a person waited', (_, events, milliseconds) => {
  expect(sumOf(...events).milliseconds).toBe(milliseconds);
});

function sumOf(...events: readonly ConversationEvent[]) {
  const totals = new TurnTotals();
  for (const event of events) totals.take(event);
  return totals.sum;
}

function started(number: number, at: number): ConversationEvent {
  return { ...turnStarted(turn(number), max), at };
}

function ended(number: number, at: number, memberId = max, usage?: RecordedUsage): ConversationEvent {
  const fact = { type: 'turn-end', turnId: turn(number), memberId, result: completed } as const;
  return { ...record({ ...fact, milliseconds: 500, ...(usage && { usage }) }), at };
}
