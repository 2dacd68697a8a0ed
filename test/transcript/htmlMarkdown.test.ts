import { expect, test } from 'vitest';
import { PageColours } from '../../src/transcript/htmlMarkdown.js';

const painted = [{ text: 'painted' }];

test('a page has colours for a megabyte of code, and none for what follows', () => {
  const colours = new PageColours(
    () => painted,
    () => 0,
  );
  const half = 'a'.repeat(512 * 1024);
  expect([half, half, 'a'].map((code) => colours.highlight(code, 'ts'))).toEqual([
    painted,
    painted,
    undefined,
  ]);
});

test('code that takes long leaves the code after it plain', () => {
  let now = 0;
  const colours = new PageColours(
    () => {
      now += 2000;
      return painted;
    },
    () => now,
  );
  expect(['a', 'b', 'c'].map((code) => colours.highlight(code, 'ts'))).toEqual([painted, painted, undefined]);
});
