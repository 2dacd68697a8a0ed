import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrefixedText } from '../../../src/frontends/print/PrefixedText.js';
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
      const lines = texts
        .map((text) => prefixed.take(text))
        .join('')
        .split('\n');
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
        if (line !== '') expect(line.slice(0, 2)).toBe('  ');
      }
      expect(lines.join('').replaceAll(/\s/gu, '')).toBe(texts.join('').replaceAll(/\s/gu, ''));
    }),
  );
});

test('moves a word that has no room to the next line as a whole', () => {
  const prefixed = new PrefixedText({ prefix: '  ', columns: 15 });
  expect(prefixed.take('one two three four')).toBe('  one two three\n  four');
  expect(prefixed.take(' 中文中文中文')).toBe(' \n  中文中文中文');
});
