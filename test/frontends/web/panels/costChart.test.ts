import { expect, test } from 'vitest';
import { layOutCosts } from '../../../../src/frontends/web/page/panels/costChart.js';
import type { CostBin } from '../../../../src/frontends/web/wire.js';
import type { MemberId, TurnId } from '../../../../src/models/ids.js';

const SIZE = { memberIds: ['max', 'sarah'], width: 300, height: 100 };

test('bars are as high as their costs, in parts from the bottom, below a round number', () => {
  const { bars, ticks } = layOutCosts([bin({ max: 0.03, sarah: 0.01 }), bin({ sarah: 0.02 })], 'money', SIZE);
  expect(ticks.map(({ value, y }) => [value, Math.round(y)])).toEqual([
    [0, 100],
    [0.01, 75],
    [0.02, 50],
    [0.03, 25],
    [0.04, 0],
  ]);
  expect(bars.map(({ total }) => total)).toEqual([0.04, 0.02]);
  expect(
    bars[0]?.parts.map(({ memberId, y, height }) => [memberId, Math.round(y), Math.round(height)]),
  ).toEqual([
    ['max', 25, 75],
    ['sarah', 0, 25],
  ]);
  expect(bars[1]?.parts).toHaveLength(1);
});

test('bars stay inside the chart, whatever their number', () => {
  for (const count of [1, 2, 60]) {
    const { bars } = layOutCosts(
      Array.from({ length: count }, () => bin({ max: 1 })),
      'tokens',
      SIZE,
    );
    for (const { x, width } of bars) expect(x >= 0 && x + width <= 300 && width > 1).toBe(true);
  }
});

test('tokens have whole numbers beside the chart, and nothing spent is an empty chart', () => {
  const { ticks } = layOutCosts([bin({ max: 0.001 })], 'tokens', SIZE);
  expect(ticks.every(({ value }) => Number.isInteger(value))).toBe(true);
  const empty = layOutCosts([bin({ max: 0 })], 'money', SIZE);
  expect(empty.bars[0]).toMatchObject({ total: 0, parts: [] });
});

/** A bin in which so many dollars were spent, and a thousand tokens for each. */
function bin(usd: Readonly<Record<string, number>>): CostBin {
  const members = Object.entries(usd).map(([id, spent]) => ({
    memberId: id as MemberId,
    usd: spent,
    tokens: Math.round(spent * 1000),
  }));
  return { from: 'turn-1' as TurnId, to: 'turn-1' as TurnId, members };
}
