import { expect, test } from 'vitest';
import { completeMention, findMention, offerNames } from '../../../../src/frontends/web/page/typedText.js';

const NAMES = ['author', 'reviewer', '评审'];

test.each([
  ['@', 1, { start: 0, typed: '' }],
  ['Hi @re', 6, { start: 3, typed: 're' }],
  ['请@评', 3, { start: 1, typed: '评' }],
  ['first line\n@a', 13, { start: 11, typed: 'a' }],
])('%j is a mention that is being typed', (text, caret, found) => {
  expect(findMention(text, caret)).toEqual(found);
});

test.each([
  ['kim@example', 11],
  ['@author ', 8],
  ['@autho', 3],
  ['nothing', 7],
])('%j at %d is none', (text, caret) => {
  expect(findMention(text, caret)).toBeUndefined();
});

test('names are offered by their beginning, in any case', () => {
  expect(offerNames(NAMES, { start: 0, typed: '' })).toEqual(NAMES);
  expect(offerNames(NAMES, { start: 0, typed: 'RE' })).toEqual(['reviewer']);
});

test('a name that is whole is not offered: Enter sends', () => {
  expect(offerNames(NAMES, { start: 0, typed: 'author' })).toEqual([]);
});

test('the name takes the place of what was typed, and the caret goes behind it', () => {
  expect(completeMention('Hi @re', { start: 3, typed: 're' }, 'reviewer')).toEqual({
    text: 'Hi @reviewer ',
    caret: 13,
  });
  expect(completeMention('@a, look', { start: 0, typed: 'a' }, 'author')).toEqual({
    text: '@author , look',
    caret: 8,
  });
  expect(completeMention('@a look', { start: 0, typed: 'a' }, 'author')).toEqual({
    text: '@author look',
    caret: 8,
  });
});
