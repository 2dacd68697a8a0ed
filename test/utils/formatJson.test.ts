import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson } from '../../src/utils/formatJson.js';

const ACTING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

test('escapes what a terminal or an editor would act upon, and nothing else', () => {
  const value = {
    a: '\x9b31m \x7f \u2028 \u202eevil\u202c \u{e0041}',
    'ключ\u2066': '中文 👩\u200d💻 می\u200cخواهم',
  };
  expect(formatJson(value)).toBe(
    '{"a":"\\u009b31m \\u007f \\u2028 \\u202eevil\\u202c \\udb40\\udc41","ключ\\u2066":"中文 👩\u200d💻 می\u200cخواهم"}',
  );
});

test('is the same value for whoever parses it', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\x9b', '\u202e', '\u200d', '👩', '\u{e0041}', '"', '\\'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), fc.constantFrom(undefined, 2), (value, indent) => {
      const json = formatJson(value, indent);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(ACTING.test(json)).toBe(false);
    }),
  );
});
