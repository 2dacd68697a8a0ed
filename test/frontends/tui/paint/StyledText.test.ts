import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapExactly } from '../../../../src/frontends/tui/paint/StyledText.js';

test('drops nothing, and no line is wider than it may be', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc.constantFrom('a   b', ' '.repeat(50)),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, width) => {
      const lines = wrapExactly(given, width);
      expect(lines.join('')).toBe(given);
      expect(
        lines.every(
          (line) => visibleWidth(line) <= width || [...new Intl.Segmenter().segment(line)].length === 1,
        ),
      ).toBe(true);
    }),
  );
});
