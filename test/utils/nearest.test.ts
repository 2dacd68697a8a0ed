import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/utils/nearest.js';

describe('nearest', () => {
  const members = ['max', 'sarah', 'carol', 'Architect'];

  it.each([
    ['srah', 'sarah'],
    ['sarahh', 'sarah'],
    ['saarh', 'sarah'],
    ['mx', 'max'],
    ['MAX', 'max'],
    ['architcet', 'Architect'],
  ])('takes %s for a slip of %s', (word, expected) => {
    expect(nearest(word, members)).toBe(expected);
  });

  it.each(['', 'bob', 'x', 'something else'])('finds nothing near %j', (word) => {
    expect(nearest(word, members)).toBeUndefined();
  });

  it('takes the first of two that are equally near', () => {
    expect(nearest('aa', ['ab', 'ac'])).toBe('ab');
  });

  it('finds a word that is in the list', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const [first = ''] = words;
        expect(nearest(first, words)?.toLowerCase()).toBe(first.toLowerCase());
      }),
    );
  });

  it('does not measure words that are far too long', () => {
    expect(nearest('m'.repeat(5_000_000), members)).toBeUndefined();
  });
});
