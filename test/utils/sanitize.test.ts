import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SanitizedPieces, sanitizeForTerminal, sanitizeToOneLine } from '../../src/utils/sanitize.js';
import { isFull } from '../soak/isFull.js';
import { tries } from '../tier.js';

const UNSAFE_BYTES = /[\0-\x08\x0b-\x1f\x7f-\x9f]/u;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const runs = isFull ? 100_000 : tries(5000);

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
    ['an invisible control of shorthand', 'a\u{1bca0}b', 'a<U+1BCA0>b'],
    ['a joiner between letters that do not join', 'app\u200drove', 'app<U+200D>rove'],
    ['a non-joiner between them', 'app\u200crove', 'app<U+200C>rove'],
    ['a joiner with no emoji after it', '👩\u200d!', '👩<U+200D>!'],
    ['a joiner with no emoji before it', 'a\u200d👩', 'a<U+200D>👩'],
    ['doubled joiners', 'می\u200c\u200cخ ه\u200d\u200dه', 'می<U+200C><U+200C>خ ه<U+200D><U+200D>ه'],
    ['a non-joiner at the end of a word', 'می\u200c خ', 'می<U+200C> خ'],
    [
      'styles and variants of nothing',
      '\ufe0fa\ufe0e1\ufe0fb\u{e0100}',
      '<U+FE0F>a<U+FE0E>1<U+FE0F>b<U+E0100>',
    ],
    ['a second style', '❤\ufe0f\ufe0f', '❤\ufe0f<U+FE0F>'],
    ['an unterminated title, and all that follows it', '\x1b]0;title\nnext', '␛]0;title\nnext'],
  ])('shows %s', (_title, text, shown) => {
    expect(sanitizeForTerminal(text)).toBe(shown);
  });

  it.each([
    ['an emoji of several people', '👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧\u200d👦'],
    ['keys, and styles of emoji', '1\ufe0f\u20e3 #\ufe0f\u20e3 ©\ufe0f ☎\ufe0e'],
    ['Persian', 'می\u200cخواهم API\u200cها'],
    ['Arabic, a letter shown as if it joined', 'ه\u200d \u200dه'],
    ['Hindi and Bengali', 'क्\u200dष श्\u200cर র\u200d্য'],
    ['Malayalam, and Sinhala', 'അവന്\u200d ක්\u200dර'],
    ['a variant of a Han letter', '葛\u{e0100}'],
    ['Mongolian', 'ᠠ\u180b'],
  ])('shows %s as it is written', (_title, text) => {
    expect(sanitizeForTerminal(text)).toBe(text);
  });

  it('lets no invisible character of any class stand alone', () => {
    // Of the format characters, these are drawn: signs over or around numbers.
    const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
    const kept: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
      if (sanitizeForTerminal(`a${character}b`).includes(character) && !drawn.test(character))
        kept.push(character);
    }
    expect(kept).toEqual(['\t', '\n']);
  });

  it('judges text that comes in pieces as if it had come at once', () => {
    const unit = fc.constantFrom(
      'a',
      '1',
      'ه',
      '👩',
      '🏽',
      '❤',
      '\ufe0f',
      '\u200d',
      '\u200c',
      '\u20e3',
      '\x1b',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.array(unit, { maxLength: 4 })), (pieces) => {
        const stream = new SanitizedPieces();
        const shown = pieces.map((units) => stream.take(units.join(''))).join('') + stream.end();
        expect(shown).toBe(sanitizeForTerminal(pieces.flat().join('')));
        expect(sanitizeForTerminal(shown)).toBe(shown);
      }),
      { numRuns: runs },
    );
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
