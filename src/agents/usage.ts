/** The part of a cumulative figure that is new. A count that went back has started again from nothing. */
export function sinceTotals(total: number, before: number | undefined): number {
  if (before === undefined || total < before) return total;
  // Money comes as decimal fractions; a difference must not show the binary ones.
  return Number((total - before).toFixed(9));
}
