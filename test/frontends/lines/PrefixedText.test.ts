import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrefixedText } from '../../../src/frontends/lines/PrefixedText.js';
import { widthOf } from '../../../src/utils/widthOf.js';

const unit = fc.constantFrom('kim:', 'a', ' ', '\n', '小', '👩‍💻', '\t', 'a-very-long-word-indeed', '      ');
const pieces = fc.array(fc.array(unit, { maxLength: 6 }).map((units) => units.join('')));

test('puts every line with something in it behind the prefix, and changes nothing else', () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const prefixed = new PrefixedText({ prefix: '> ' });
      const shown = texts.map((text) => prefixed.take(text)).join('');
      const lines = texts.join('').split('\n');
      expect(shown.split('\n')).toEqual(lines.map((line) => (line === '' ? '' : `> ${line}`)));
    }),
  );
});

test('leaves nothing for a terminal to wrap, and loses nothing but blanks at the ends of lines', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 10, max: 30 }), (texts, columns) => {
      const prefixed = new PrefixedText({ prefix: '  ', columns });
      const shown = texts.map((text) => prefixed.take(text));
      const lines = [...shown, prefixed.end()].join('').split('\n');
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
        if (line !== '') expect(line.slice(0, 2)).toBe('  ');
      }
      expect(lines.join('').replaceAll(/\s/gu, '')).toBe(texts.join('').replaceAll(/\s/gu, ''));
    }),
  );
});

test('moves a word that has no room to the next line as a whole, and breaks Chinese anywhere but before punctuation', () => {
  const prefixed = new PrefixedText({ prefix: '  ', columns: 15 });
  expect(prefixed.takeAll('one two three four')).toBe('  one two three\n  four');
  expect(prefixed.takeAll(' 中文中文，文 ')).toBe(' 中文中\n  文，文 ');
});

test('breaks the same text at the same places, however it comes in pieces', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'name]', '', 'word\n', '小，', '[NEXT:'))
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 10, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      (text, columns, size) => {
        const prefixed = new PrefixedText({ prefix: '  ', columns });
        const pieces = text.match(new RegExp(`.{1,${size}}|\\n`, 'gu')) ?? [];
        const shown = pieces.map((piece) => prefixed.take(piece)).join('') + prefixed.end();
        expect(shown).toBe(new PrefixedText({ prefix: '  ', columns }).takeAll(text));
      },
    ),
  );
});

test('holds back no more than a line of a word that never ends', () => {
  const prefixed = new PrefixedText({ prefix: '  ', columns: 20 });
  for (const text of Array.from({ length: 50 }, () => 'xxxxxxx')) prefixed.take(text);
  expect(prefixed.end().length).toBeLessThan(25);
});
