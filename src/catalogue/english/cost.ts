/** Sentences of `huddle cost`. */
export const costText = {
  nothing: (id: string) => `No turn of session ${id} has said what it took.`,
  heads: {
    turn: 'turn',
    member: 'member',
    turns: 'turns',
    input: 'tokens in',
    cached: 'cached',
    output: 'tokens out',
    money: 'cost',
    price: 'price',
    all: 'all',
  },
  prices: { reported: 'reported', estimated: 'estimated', unknown: 'unknown' },
};
