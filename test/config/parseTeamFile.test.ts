import { describe, expect, it } from 'vitest';
import { type ParsedTeamFile, parseTeamFile } from '../../src/config/parseTeamFile.js';
import type { TeamProblem } from '../../src/models/TeamProblem.js';

describe('parseTeamFile', () => {
  it('reads the same value with and without comments and trailing commas', () => {
    const bare = '{"a":[1,{"b":null}],"c":"// not a comment /* nor this */","d":true}';
    const commented = `// first
      { /* a */ "a": [1, { "b": null, }, ], // list
        "c": "// not a comment /* nor this */", /*
        "c": 2, */ "d": true, }
      // last`;
    expect(readValue(commented)).toEqual(JSON.parse(bare));
    expect(readValue(commented)).toEqual(readValue(bare));
  });

  it('keeps __proto__ and constructor as ordinary keys', () => {
    const value = readValue('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    ['an empty file', '', '1:1'],
    ['a comment only', '// huddle', '1:10'],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', '3:3'],
    ['a missing bracket', '{ "a": [1', '1:10'],
    ['a missing colon', '{ "a" 1 }', '1:7'],
    ['two values', '{} {}', '1:4'],
    ['single quotes', "{ 'a': 1 }", '1:3'],
    ['an open comment', '{} /* a', '1:4'],
    ['an open string', '{ "a": "b\n}', '1:8'],
    ['NaN', '{ "a": NaN }', '1:8'],
    ['JavaScript', 'export default {}', '1:1'],
  ])('says where %s stops being JSON', (_title, text, place) => {
    const [first] = problemsOf(text);
    expect(first).toMatchObject({ code: 'SYNTAX', pointer: '' });
    expect(`${first?.position?.line}:${first?.position?.column}`).toBe(place);
  });

  it('tells every line that is wrong at once, and what is wrong there first', () => {
    expect(problemsOf('{ "a": 1 "b": 2,\n "c": }')).toMatchObject([
      { code: 'SYNTAX', fault: 'comma', value: 'b', position: { line: 1, column: 10 } },
      { code: 'SYNTAX', fault: 'field-value', value: '}', position: { line: 2, column: 7 } },
    ]);
  });

  it('refuses a key that is written twice, at the second place', () => {
    expect(problemsOf('{ "a": {\n "b/c": 1,\n "b/c": 2 } }')).toEqual([
      {
        code: 'DUPLICATE_KEY',
        pointer: '/a/b~1c',
        value: undefined,
        position: { line: 3, column: 2 },
      },
    ]);
  });

  it.each([
    ['lists', '['.repeat(1_000_000)],
    ['objects', '{"a":'.repeat(100_000)],
    ['closed lists', '['.repeat(65) + ']'.repeat(65)],
  ])('refuses %s that are nested too deeply instead of overflowing', (_title, text) => {
    expect(problemsOf(text)).toMatchObject([{ code: 'SYNTAX', fault: 'too-deep' }]);
  });

  it('takes nesting up to the limit, and brackets in strings and comments for what they are', () => {
    expect(readValue('['.repeat(64) + ']'.repeat(64))).toBeDefined();
    expect(readValue(`{ "a": "${'['.repeat(100)}" /* ${'{'.repeat(100)} */ }`)).toBeDefined();
  });

  it.each<['UNKNOWN_FIELD' | 'DUPLICATE_KEY' | 'MISSING_FIELD', string, string]>([
    ['UNKNOWN_FIELD', '/limits/queues', '3:15'],
    ['MISSING_FIELD', '/limits/queues', '3:25'],
    ['MISSING_FIELD', '/limits/queue', '3:13'],
    ['MISSING_FIELD', '/members/1', '2:18'],
    ['MISSING_FIELD', '', '1:1'],
  ])('places %s of %j at %s', (code, pointer, place) => {
    const parsed = parseTeamFile('{\n  "members": [1, 2],\n  "limits": { "queues": 3 }\n}');
    if (!parsed.ok) throw new Error('not parsed');
    const { position } = parsed.locate({ code, pointer, value: undefined });
    expect(`${position?.line}:${position?.column}`).toBe(place);
  });
});

function readValue(text: string): unknown {
  const parsed = parseTeamFile(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

function problemsOf(text: string): readonly TeamProblem[] {
  const parsed: ParsedTeamFile = parseTeamFile(text);
  if (parsed.ok) throw new Error('the text was accepted');
  return parsed.problems;
}
