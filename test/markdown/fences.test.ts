import { expect, test } from 'vitest';
import { textFrom } from '../../src/markdown/fences.js';

test.each([
  ['a\nb', 'b', 'b'],
  ['```ts\na\nb', 'b', '```ts\nb'],
  ['```ts\na\n```\nb', 'b', 'b'],
  ['~~~~ js\n```\n~~~\nb', 'b', '~~~~ js\nb'],
])('the end of %j from %j on is %j', (text, from, expected) => {
  expect(textFrom(text, text.indexOf(from))).toBe(expected);
});
