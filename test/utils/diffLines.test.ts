import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DiffLine, diffLines } from '../../src/utils/diffLines.js';

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a'), { maxLength: 40 })
  .map((lines) => lines.join(''));

/** The lines of one side, as far as they are shown, and how many lines it has. */
function sideOf(diff: ReturnType<typeof diffLines>, mark: '-' | '+'): { shown: string; count: number } {
  const lines = diff.filter(
    (line): line is DiffLine => 'mark' in line && (line.mark === ' ' || line.mark === mark),
  );
  const skipped = diff.reduce((sum, line) => sum + ('skipped' in line ? line.skipped : 0), 0);
  const shown = lines.map((line) => line.text + (line.isOpenEnd ? '' : '\n')).join('');
  return { shown, count: lines.length + skipped };
}

const countLines = (whole: string) => (whole.match(/[^\n]*\n|[^\n]+$/gu) ?? []).length;

describe('the difference of two texts', () => {
  test('has every line that changes, and counts those that do not', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffLines(before, after);
        expect(sideOf(diff, '-').count).toBe(countLines(before));
        expect(sideOf(diff, '+').count).toBe(countLines(after));
        if (diff.some((line) => 'skipped' in line)) return;
        expect([sideOf(diff, '-').shown, sideOf(diff, '+').shown]).toEqual([before, after]);
      }),
    );
  });

  test('shows three lines around a change, and how many were left out', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    const after = lines.with(10, 'new\n');
    const shown = diffLines(lines.join(''), after.join('')).map((line) =>
      'skipped' in line ? line.skipped : line.mark + line.text,
    );
    expect(shown).toEqual([
      7,
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      6,
    ]);
  });

  test('says where a text ends without a line end', () => {
    expect(diffLines('a\n', 'a')).toEqual([
      { mark: '-', text: 'a', isOpenEnd: false },
      { mark: '+', text: 'a', isOpenEnd: true },
    ]);
  });

  test('of long texts that have nothing in common takes no time to speak of', () => {
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(40_000);
  });
});
