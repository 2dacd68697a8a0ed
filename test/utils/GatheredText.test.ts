import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredText } from '../../src/utils/GatheredText.js';

const step = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 8 }));

test('what is taken is what was added, in order, and no character is cut', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 1000 }), (steps) => {
      const gathered = new GatheredText();
      const added = steps.filter((each) => typeof each === 'string').join('');
      let taken = '';
      for (const each of steps) {
        if (typeof each === 'string') gathered.add(each);
        else {
          const piece = gathered.take(each);
          expect(piece.isWellFormed()).toBe(true);
          expect(piece.length).toBeLessThanOrEqual(Math.max(2, each));
          taken += piece;
        }
        expect(gathered.length).toBeGreaterThanOrEqual(0);
      }
      expect(taken + gathered.text).toBe(added);
      while (gathered.length > 0) taken += gathered.take(3);
      expect(taken).toBe(added);
    }),
  );
});
