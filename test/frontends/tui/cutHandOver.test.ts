import { describe, expect, it } from 'vitest';
import { cutHandOver } from '../../../src/frontends/tui/cutHandOver.js';

describe('cutHandOver', () => {
  it.each([
    ['Done.\n\n[NEXT: max]', 'Done.'],
    ['Done.\n[next: max, 小明] \n', 'Done.'],
    ['完成。\n［NEXT：小明］', '完成。'],
    ['[NEXT: max] Please look.', 'Please look.'],
    ['[NEXT: max]', ''],
    ['[NEXT: a] Look.\n[NEXT: b]', 'Look.'],
    ['    indented\ncode', '    indented\ncode'],
    ['Ask [NEXT: max] about it', 'Ask [NEXT: max] about it'],
    ['```\n[NEXT: max]\n```', '```\n[NEXT: max]\n```'],
    ['', ''],
  ])('makes %j read %j', (text, shown) => {
    expect(cutHandOver(text)).toBe(shown);
  });

  it('finds the hand-over at the end of a very long text', () => {
    const long = 'word '.repeat(100_000).trimEnd();
    expect(cutHandOver(`${long}\n[NEXT: max]`) === long).toBe(true);
  });
});
