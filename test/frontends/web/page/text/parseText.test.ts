import { expect, test, vi } from 'vitest';
import { mayHaveCode, parseText } from '../../../../../src/frontends/web/page/text/parseText.js';
import { findEnd, partText } from '../../../../../src/frontends/web/page/text/RichText.js';
import type { HighlightCode } from '../../../../../src/markdown/highlightCode.js';

const CODE = '```ts\nconst a = 1;\n```';
const paint: HighlightCode = (text) => [{ text, kind: 'keyword' }];

test('code has the colours of its language, code without a language none', () => {
  const highlight = vi.fn(paint);
  const parsed = parseText(
    `${CODE}\n\n- in a list\n\n      plain\n\n> ${CODE.replaceAll('\n', '\n> ')}`,
    highlight,
  );
  expect(highlight.mock.calls).toEqual([
    ['const a = 1;', 'ts'],
    ['const a = 1;', 'ts'],
  ]);
  const [first] = parsed?.blocks ?? [];
  expect(first?.kind === 'code' && parsed?.colours.get(first)).toEqual([
    { text: 'const a = 1;', kind: 'keyword' },
  ]);
});

test('only a text with a fence may have code that has colours', () => {
  expect([CODE, '~~~\na', 'a `b` c', ''].map(mayHaveCode)).toEqual([true, true, false, false]);
});

test('a text with more than 3,000 parts is not formatted', () => {
  expect(parseText('a *b* '.repeat(400))).toBeDefined();
  expect(parseText('a *b* '.repeat(1000))).toBeUndefined();
  expect(parseText('- a\n'.repeat(2000))).toBeUndefined();
  expect(parseText(`|a|\n|-|\n${'|a|\n'.repeat(2000)}`)).toBeUndefined();
});

test('colours that would make too many parts are left out, the text is formatted', () => {
  const many: HighlightCode = (text) => Array.from({ length: 3000 }, () => ({ text, kind: 'keyword' }));
  const parsed = parseText(`${CODE}\n\n**b**`, many);
  expect(parsed?.blocks.map(({ kind }) => kind)).toEqual(['code', 'paragraph']);
  expect(parsed?.colours.size).toBe(0);
});

test('the first 20,000 characters of a long text are formatted, up to a line end if there is one near', () => {
  expect(partText('a'.repeat(20_000))).toEqual({ start: 'a'.repeat(20_000), rest: '' });
  const lines = `${'a'.repeat(19_000)}\n${'b'.repeat(9000)}`;
  expect(partText(lines)).toEqual({ start: `${'a'.repeat(19_000)}\n`, rest: 'b'.repeat(9000) });
  const emoji = partText(`${'a'.repeat(19_999)}😀b`);
  expect(emoji).toEqual({ start: 'a'.repeat(19_999), rest: '😀b' });
});

test('the end of a text is its end', () => {
  expect(findEnd('a\nb', 3)).toBe(3);
  expect(findEnd('a\nb', 99)).toBe(3);
});
