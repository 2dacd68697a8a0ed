import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../src/utils/sanitize.js';
import { isFull } from '../soak/isFull.js';

const UNSAFE_BYTES = /[\0-\x08\x0b-\x1f\x7f-\x9f]/u;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const runs = isFull ? 100_000 : 5000;

describe('making foreign text safe for a terminal', () => {
  it('leaves ordinary text as it is, in every language', () => {
    const text = 'def f():\n\treturn "中文 العربية 😀 ❤️ é"\n';
    expect(sanitizeForTerminal(text)).toBe(text);
  });

  it.each([
    ['a clipboard write', '\x1b]52;c;QQ==\x07', '␛]52;c;QQ==␇'],
    ['a C1 sequence', '\u009b31m', '<U+009B>31m'],
    ['an overwritten line', 'safe\revil', 'safe␍evil'],
    ['backspaces', 'abc\b\b', 'abc␈␈'],
    ['delete', '\x7f', '␡'],
    ['NUL', '\0', '␀'],
    ['a bidirectional override', '\u202eevil\u202c', '<U+202E>evil<U+202C>'],
    ['a zero-width space', 'app\u200brove', 'app<U+200B>rove'],
    ['a tag character', '\u{e0069}', '<U+E0069>'],
    ['a line separator', '\u2028', '<U+2028>'],
    ['an unterminated title, and all that follows it', '\x1b]0;title\nnext', '␛]0;title\nnext'],
  ])('shows %s', (_title, text, shown) => {
    expect(sanitizeForTerminal(text)).toBe(shown);
  });

  it('lets no control byte and no bidirectional control through', () => {
    const hostile = fc.constantFrom(
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\u009d',
      '\x07',
      '\r',
      '\u202e',
      '\u2066',
      '\0',
      'a',
    );
    const unit = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const safe = sanitizeForTerminal(units.join(''));
        expect(UNSAFE_BYTES.test(safe) || BIDI_CONTROLS.test(safe)).toBe(false);
        expect(sanitizeForTerminal(safe)).toBe(safe);
      }),
      { numRuns: runs },
    );
  });

  it('keeps every character that is safe, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(sanitizeForTerminal(text)).toBe(text);
      }),
    );
  });

  it('makes one line of several', () => {
    expect(sanitizeToOneLine(' a\n\tb\x1b[2J\r\nc ')).toBe('a b␛[2J c');
  });
});
