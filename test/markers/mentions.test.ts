import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMentions } from '../../src/markers/mentions.js';
import { tries } from '../tier.js';
import { codeCases } from './codeCases.js';

const NAMES = ['bob', 'Sarah-Jane', 'max', '小明', 'all'];
const F = '```';

const mentioned = (text: string): readonly string[] => findMentions(text, NAMES);

describe('a member named in plain words', () => {
  it.each<readonly [text: string, ...names: string[]]>([
    ['@bob hi', 'bob'],
    ['hi @bob', 'bob'],
    ['@bob', 'bob'],
    ['What does @BOB think?', 'bob'],
    ['@sarahjane and @Sarah_Jane', 'Sarah-Jane'],
    ['＠bob hi', 'bob'],
    ['@bob, @max: look', 'bob', 'max'],
    ['@max @bob', 'max', 'bob'],
    ['@bob,@max', 'bob', 'max'],
    ['@bob/@max', 'bob', 'max'],
    ['@bob&@max', 'bob', 'max'],
    ['(@bob)', 'bob'],
    ['**@bob** look', 'bob'],
    ['@bob. Then stop.', 'bob'],
    ['@bob! @max?', 'bob', 'max'],
    ["@bob's plan", 'bob'],
    ['@bob: hi', 'bob'],
    ['one\n@bob\ntwo', 'bob'],
    ['- @bob\n- @max', 'bob', 'max'],
    ['请@小明看看', '小明'],
    ['请@bob看看', 'bob'],
    ['@小明，你好', '小明'],
    ['（@小明）', '小明'],
    ['@bob에게', 'bob'],
    ['👍@bob', 'bob'],
    ['@all how?', 'all'],
    ['[TEAM_TASK] Build it, @bob', 'bob'],
    ['[NEXT bob]', 'bob'],
    ['Look. [next Bob, max]', 'bob', 'max'],
    ['[NEXT @bob]', 'bob'],
    ['［NEXT 小明］', '小明'],
    ['[NEXT steps for @bob]', 'bob'],
  ])('%j calls them', (text, ...names) => {
    expect(mentioned(text)).toEqual(names);
  });

  it.each([
    'a@bob.com',
    'bob@bob.com',
    '1@bob',
    'user@bob',
    'x_@bob',
    'émile@bob',
    '@bobby',
    '@bob-by',
    '@bob.com',
    '@bob@example.org',
    '@types/node',
    '@bob/cli',
    '@bob/',
    'Look at @bob/ and tell me',
    '@bob/src/index.ts is wrong',
    '@bob.ts is wrong',
    '@./bob is a file',
    '@"bob notes.md" is a file',
    'node_modules/@bob',
    'https://example.org/@bob',
    'https://user:@bob',
    'npm i @bob/cli',
    '@Max(10) int size',
    '@param name of the user',
    '@nobody hi',
    '@ bob',
    '@',
    '@@bob',
    '"@bob" is a name',
    "'@bob'",
    '“@bob”',
    '「@小明」',
    '\\@bob',
    '[@bob](https://example.org/bob)',
    '<@bob>',
    '`@bob`',
    '``@bob``',
    '> @bob said so',
    '<!-- @bob -->',
    '    @bob\n',
    `${F}\n@bob\n${F}`,
    `${F}\n@bob`,
    '~~~\n@bob\n~~~',
    '[NEXT steps]',
    '[NEXT bob, nobody]',
    '`[NEXT bob]`',
    '[NEXTbob]',
    '[NEXT]',
    'next bob',
    'bob',
  ])('%j calls nobody', (text) => {
    expect(mentioned(text)).toEqual([]);
  });

  it('takes the longest name that fits', () => {
    expect(findMentions('@小明明 @小明', ['小明', '小明明'])).toEqual(['小明明', '小明']);
  });

  it.each(Object.entries(codeCases))('acts where a marker acts: %s', (_name, cases) => {
    for (const [text, ...live] of cases) {
      const names = [...new Set(text.match(/\[NEXT: \w+\]/giu)?.map((marker) => marker.slice(7, -1)))];
      const spoken = text.replaceAll(/\[NEXT: (\w+)\]/gu, '[NEXT $1]');
      if (names.length === 0 || spoken.includes('[NEXT:')) continue;
      expect([spoken, findMentions(spoken, names)]).toEqual([spoken, [...new Set(live)]]);
    }
  });
});

describe('for any text', () => {
  const piece = fc.constantFrom(
    ...['@', '＠', '@bob', '@max', 'bob', '小明', ' ', '\n', '`', F, '> ', '    ', '<!--', '-->', '\\'],
    ...['[NEXT ', ']', '/', '.', '(', 'é', 'x', ',', '\ud83d', '- '],
  );
  const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('every name found is a known one, once, and stands in the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = mentioned(text);
        expect(new Set(found).size).toBe(found.length);
        for (const name of found) {
          expect(NAMES).toContain(name);
          expect(text.normalize('NFKC').toLowerCase()).toContain(name.toLowerCase());
        }
      }),
      { numRuns: tries(5000) },
    );
  });

  it('nobody is called from inside fenced code', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const code = text.replaceAll('`', '');
        expect(mentioned(`Look:\n\n${F}\n${code}\n${F}\n`)).toEqual([]);
      }),
      { numRuns: tries(5000) },
    );
  });

  it('what stands apart in front is found, whatever follows on the next lines', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(mentioned(`@bob\n\n${text}`)[0]).toBe('bob');
      }),
      { numRuns: tries(5000) },
    );
  });

  it.each([
    ['mentions', '@bob '],
    ['at signs', '@'],
    ['strangers', '@nobody '],
    ['names without an end', '@小明看看看看'],
    ['open brackets', '[NEXT '],
    ['backticks', '@bob ` '],
    ['one long name', 'a'],
  ])('two megabytes of %s are read in far less time than a test may take', (_name, unit) => {
    const text = `@${unit.repeat(Math.ceil(2_000_000 / unit.length))}\n\n@bob`;
    expect(mentioned(text)).toContain('bob');
  });
});
