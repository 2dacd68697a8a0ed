import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastBytes, measureBeginning, truncateToBytes, utf8Length } from '../../src/utils/bytes.js';
import { tries } from '../tier.js';

const mixed = 'aé中😀\u0301👩‍👩‍👧界\0z🇨🇳';

/** The longest run of whole characters that fits, found by adding up one after the other. */
function takeCharacters(characters: readonly string[], maxBytes: number): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const character of characters) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > maxBytes) break;
    taken.push(character);
  }
  return taken;
}

function naiveBeginning(text: string, maxBytes: number): string {
  return takeCharacters([...text], maxBytes).join('');
}

function naiveEnd(text: string, maxBytes: number): string {
  return takeCharacters([...text].reverse(), maxBytes)
    .reverse()
    .join('');
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.constantFrom('a', 'é', '中', '😀', '\ud83d', '\ude00', '\0', ''), { maxLength: 30 })
    .map((parts) => parts.join('')),
);
const anyBudget = fc.integer({ min: -3, max: 90 });

describe('utf8Length', () => {
  it('counts as the encoder does, lone surrogates as the character that stands for them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
      { numRuns: tries(5_000) },
    );
  });
});

describe('cutting a text of one to four byte characters at every byte offset', () => {
  const offsets = Array.from({ length: utf8Length(mixed) + 2 }, (_, offset) => offset);

  it.each(offsets)('keeps whole characters at both ends with %i bytes', (offset) => {
    const beginning = truncateToBytes(mixed, offset);
    const end = lastBytes(mixed, offset);
    expect(beginning).toBe(naiveBeginning(mixed, offset));
    expect(end).toBe(naiveEnd(mixed, offset));
    expect(measureBeginning(mixed, offset)).toEqual({ text: beginning, bytes: utf8Length(beginning) });
    expect(beginning.isWellFormed() && end.isWellFormed()).toBe(true);
  });
});

describe('truncateToBytes, measureBeginning and lastBytes', () => {
  it('agree with the naive versions on any text and budget', () => {
    fc.assert(
      fc.property(anyText, anyBudget, (text, maxBytes) => {
        const beginning = truncateToBytes(text, maxBytes);
        expect(beginning).toBe(naiveBeginning(text, maxBytes));
        expect(measureBeginning(text, maxBytes)).toEqual({ text: beginning, bytes: utf8Length(beginning) });
        expect(lastBytes(text, maxBytes)).toBe(naiveEnd(text, maxBytes));
      }),
      { numRuns: tries(20_000) },
    );
  });

  it('leave a text that fits alone, however large the budget', () => {
    for (const maxBytes of [utf8Length(mixed), Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(truncateToBytes(mixed, maxBytes)).toBe(mixed);
      expect(lastBytes(mixed, maxBytes)).toBe(mixed);
    }
  });

  it('cut far behind the size of any buffer they start with', () => {
    const long = '😀'.repeat(100_000);
    expect(truncateToBytes(long, 399_999)).toBe('😀'.repeat(99_999));
    expect(lastBytes(long, 399_999)).toBe('😀'.repeat(99_999));
  });
});
