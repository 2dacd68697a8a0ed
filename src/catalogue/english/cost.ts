/** Sentences of `huddle cost`. */
export const costText = {
  nothing: (id: string) => `Session ${id} has no usage data.`,
  heads: {
    turn: 'turn',
    member: 'member',
    turns: 'turns',
    input: 'tokens in',
    cached: 'cached',
    output: 'tokens out',
    money: 'cost',
    price: 'price',
    all: 'total',
  },
  prices: { reported: 'reported', estimated: 'estimated', unknown: 'unknown' },
};
