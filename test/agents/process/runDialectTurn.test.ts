import { describe, expect, it } from 'vitest';
import { play, STYLES } from './hostileAgent.js';

const GOOD = 'A complete and correct answer.';

describe.each(STYLES)('a turn of a %s-like agent', (style) => {
  it('gives the answer and ends once', async () => {
    const { events, outcome, alive } = await play('fixed', { style });
    expect(outcome).toEqual({ kind: 'completed', text: GOOD });
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
    expect(alive).toEqual([]);
  });
});
