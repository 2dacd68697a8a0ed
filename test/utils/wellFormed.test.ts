import { expect, test } from 'vitest';
import { wellFormed } from '../../src/utils/wellFormed.js';

test('a text loses its lone surrogates and nothing else, however long and however often it is asked for', () => {
  const long = '中文 😀 '.repeat(20_000);
  const texts = ['', '😀', '\ud83d', 'a\ude00b', long, `${long}\ud800`, `\udc00${long}`];
  for (const text of [...texts, ...texts, ...texts.flatMap((each) => [each, each])])
    expect(wellFormed(text) === text.toWellFormed()).toBe(true);
});
