import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPositionFinder } from '../../src/utils/linePositions.js';

describe('createPositionFinder', () => {
  it('counts lines and columns from 1, whatever ends the lines', () => {
    const text = 'a\nbc\r\n\rd';
    const positionAt = createPositionFinder(text);
    expect(
      [...text].map((_, offset) => positionAt(offset)).map(({ line, column }) => `${line}:${column}`),
    ).toEqual(['1:1', '1:2', '2:1', '2:2', '2:3', '2:4', '3:1', '4:1']);
    expect(positionAt(text.length)).toEqual({ line: 4, column: 2 });
  });

  it('agrees with splitting the text before the offset', () => {
    const lines = fc
      .array(fc.constantFrom('a', '\n', 'bc'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(lines, fc.nat(60), (text, offset) => {
        const before = text.slice(0, offset).split('\n');
        const expected = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
        expect(createPositionFinder(text)(Math.min(offset, text.length))).toEqual(expected);
      }),
    );
  });
});
