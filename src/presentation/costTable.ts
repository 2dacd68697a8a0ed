import { describePrices, formatSum } from '../catalogue/formats.js';
import { words as spoken, type WordsOf } from '../catalogue/words.js';
import type { ForkUsage, Spending, Usage } from '../conversation/usage.js';
import { formatNumber } from '../utils/formatNumber.js';

/** A column of a table: its head, and whether it holds numbers, which stand to the right. */
export interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

/** The cost, member by member and in the last row in total. Its texts are not yet safe to show. */
export function costColumns(words: WordsOf<'cost'> = spoken): readonly Column[] {
  const { member, turns, input, cached, output, money, price } = words.cost.heads;
  const numbers = [turns, input, cached, output, money].map((head) => ({ head, isNumber: true }));
  return [{ head: member }, ...numbers, { head: price }];
}

export function costRows(
  { total, members }: Usage,
  nameOf: (memberId: string) => string,
  fork?: ForkUsage,
  words: WordsOf<'cost' | 'telling'> = spoken,
): readonly (readonly string[])[] {
  const { inherited, here } = words.cost.heads;
  return [
    ...members.map((spent) => rowOf(nameOf(spent.memberId), spent, words)),
    ...(fork === undefined ? [] : [rowOf(inherited, fork.inherited, words), rowOf(here, fork.here, words)]),
    rowOf(words.cost.heads.all, total, words),
  ];
}

function rowOf(name: string, spent: Spending, words: WordsOf<'cost' | 'telling'>): readonly string[] {
  const counts = [spent.turns, spent.inputTokens, spent.cachedInputTokens, spent.outputTokens];
  return [
    name,
    ...counts.map((count) => formatNumber(count)),
    formatSum(spent, words),
    describePrices(spent, words),
  ];
}
