import { expect, test } from 'vitest';
import { highlightCode } from '../../src/markdown/highlightCode.js';

test('colours code by what its words are, and leaves its text as it is', () => {
  const code = 'const a = "b"; // c\nclass D {}';
  const spans = highlightCode(code, 'ts') ?? [];
  expect(spans.map(({ text }) => text).join('')).toBe(code);
  expect(spans.filter(({ kind }) => kind !== undefined)).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: '"b"', kind: 'string' },
    { text: '// c', kind: 'comment' },
    { text: 'class', kind: 'keyword' },
    { text: 'D', kind: 'title' },
  ]);
  expect(highlightCode('+a\n-b', 'diff')?.map(({ kind }) => kind)).toEqual([
    'addition',
    undefined,
    'deletion',
  ]);
});

test.each([
  ['a', 'klingon'],
  ['a', ''],
  ['a'.repeat(16 * 1024 + 1), 'ts'],
])('has no colours for a language it does not know and for very long code', (code, language) => {
  expect(highlightCode(code, language)).toBeUndefined();
});

test('survives code that nests as deeply as it likes', () => {
  const code = '${`'.repeat(2000);
  expect(
    highlightCode(`\`${code}`, 'js')
      ?.map(({ text }) => text)
      .join(''),
  ).toBe(`\`${code}`);
});
