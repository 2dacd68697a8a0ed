import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { editJson } from '../../src/config/changeUserSettings.js';

describe('editJson', () => {
  test.each([
    ['an empty object', '{}\n', ['a'], 1, '{\n  "a": 1\n}\n'],
    ['an object with a comment', '{\n  // later\n}\n', ['a'], 1, '{\n  // later\n  "a": 1\n}\n'],
    ['a line', '{\n  "a": 1 // one\n}\n', ['b'], true, '{\n  "a": 1, // one\n  "b": true\n}\n'],
    ['a line after a comma', '{\n  "a": 1, // one\n}\n', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2,\n}\n'],
    ['one line', '{ "a": 1 }', ['b'], 2, '{ "a": 1, "b": 2 }'],
    ['one line without spaces', '{"a":1}', ['b'], 2, '{"a":1, "b": 2 }'],
    ['lines of Windows', '{\r\n  "a": 1\r\n}\r\n', ['b'], 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
    [
      'a deeper object',
      '{ "p": {} }',
      ['p', 'x'],
      { i: 1, o: 2 },
      '{ "p": {\n  "x": { "i": 1, "o": 2 }\n} }',
    ],
    ['objects on the way', '{\n}\n', ['p', 'x', 'i'], 1, '{\n  "p": {\n    "x": { "i": 1 }\n  }\n}\n'],
    ['another value', '{ "a": /* was 1 */ 1, }', ['a'], 'x', '{ "a": /* was 1 */ "x", }'],
    ['a value in place of an object', '{ "p": 3 }', ['p', 'x'], 1, '{ "p": { "x": 1 } }'],
  ])('adds to %s', (_title, before, path, value, after) => {
    expect(editJson(before, path, value)).toBe(after);
  });

  test.each([
    ['a line', '{\n  // about a\n  "a": 1, \n  "b": 2\n}\n', '{\n  // about a\n  "b": 2\n}\n'],
    ['the last line', '{\n  "b": 2, // two\n  "a": 1\n}\n', '{\n  "b": 2 // two\n}\n'],
    ['the only field', '{ "a": 1, }', '{  }'],
    ['a part of a line', '{ "b": 2, "a": 1 }', '{ "b": 2  }'],
    ['nothing, if it is not there', '{ "b": 2 }', '{ "b": 2 }'],
  ])('removes %s', (_title, before, after) => {
    expect(editJson(before, ['a'], undefined)).toBe(after);
  });

  test('changes one field and leaves every other as it was', () => {
    const key = fc.constantFrom('a', 'b', 'c', '__proto__x', '"', 'é');
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
    const value = fc.oneof(leaf, fc.dictionary(key, leaf));
    fc.assert(
      fc.property(
        fc.dictionary(key, value),
        key,
        value,
        fc.constantFrom(0, 2),
        (object, name, added, indent) => {
          const before = JSON.stringify(object, null, indent);
          expect(parse(editJson(before, [name], added))).toEqual({ ...object, [name]: added });
          const { [name]: _gone, ...rest } = object;
          expect(parse(editJson(before, [name], undefined), [], { allowTrailingComma: true })).toEqual(rest);
        },
      ),
    );
  });
});
