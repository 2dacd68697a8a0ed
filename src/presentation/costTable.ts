import { english } from '../catalogue/english.js';
import { describePrices, formatSum } from '../catalogue/formats.js';
import type { Usage } from '../conversation/usage.js';
import { formatNumber } from '../utils/formatNumber.js';

/** A column of a table: its head, and whether it holds numbers, which stand to the right. */
export interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

const { member, turns, input, cached, output, money, price, all } = english.cost.heads;

/** What was spent, member by member and in the last row together. Its texts are not yet safe to show. */
export const COST_COLUMNS: readonly Column[] = [
  { head: member },
  ...[turns, input, cached, output, money].map((head) => ({ head, isNumber: true })),
  { head: price },
];

export function costRows(
  { total, members }: Usage,
  nameOf: (memberId: string) => string,
): readonly (readonly string[])[] {
  const spendings = [
    ...members.map((spent) => ({ ...spent, name: nameOf(spent.memberId) })),
    { ...total, name: all },
  ];
  return spendings.map((spent) => [
    spent.name,
    ...[spent.turns, spent.inputTokens, spent.cachedInputTokens, spent.outputTokens].map((count) =>
      formatNumber(count),
    ),
    formatSum(spent),
    describePrices(spent),
  ]);
}
