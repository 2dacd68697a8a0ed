import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanMarkers, stripOuterMarkers } from '../../src/markers/markers.js';

describe('the hand-over that a text begins or ends with', () => {
  it.each([
    ['Done.\n\n[NEXT: max]', 'Done.'],
    ['Done.\n[next: max, 小明] \n', 'Done.'],
    ['完成。\n［NEXT：小明］', '完成。'],
    ['[NEXT: max] Please look.', 'Please look.'],
    ['[NEXT: max]\n\n    indented', '    indented'],
    ['Where is it weak? [NEXT: max]', 'Where is it weak?'],
    ['好的，我同意。[NEXT: 小明]', '好的，我同意。'],
    ['好的 ［NEXT：小明］', '好的'],
    ['Done.[NEXT: max]', 'Done.'],
    ['a list[NEXT: max]', 'a list'],
    ['[NEXT: max]', ''],
    ['[NEXT: a] [NEXT: b]\nLook.\n[NEXT: c]\n\n[NEXT: d]', 'Look.'],
  ])('goes: %j reads %j', (text, shown) => {
    expect(stripOuterMarkers(text, ['next'])).toBe(shown);
  });

  it.each([
    'Ask [NEXT: max] about it',
    '    indented\ncode',
    'Write \\[NEXT: max]',
    'Type [ next : max ]',
    '```\n[NEXT: max]\n```',
    '> [NEXT: max]',
    'Write:\n\n    [NEXT: max]',
    '[FROM: max] Hello',
    '[TEAM_TASK] Design a login',
    '',
  ])('is nothing else: %j stays', (text) => {
    expect(stripOuterMarkers(text, ['next'])).toBe(text);
  });

  it('is found at the end of a very long text', () => {
    const long = 'word '.repeat(100_000).trimEnd();
    expect(stripOuterMarkers(`${long}\n[NEXT: max]`, ['next']) === long).toBe(true);
  });
});

describe('the task that a text begins or ends with', () => {
  it.each([
    ['[TEAM_TASK] Design a login\n\nHow?', 'How?'],
    ['[team_task] Design\na login\n  \nHow?', 'How?'],
    ['[TEAM_TASK] Design\n```\na\n\nlogin\n```\n\nHow?', 'How?'],
    ['[TEAM_TASK] Design a login', ''],
    ['[TEAM_TASK] Design a login [NEXT: max] How?', 'How?'],
    ['［TEAM_TASK：设计］ 怎么做？', '怎么做？'],
    ['How? [TEAM_TASK] Design a login', 'How?'],
    ['How? [TEAM_TASK: Design] Soon.', 'How? [TEAM_TASK: Design] Soon.'],
  ])('goes: %j reads %j', (text, shown) => {
    expect(stripOuterMarkers(text, ['next', 'team-task'])).toBe(shown);
  });
});

it('a text in which no marker acts loses nothing but white space at its end', () => {
  const pieces = [
    '[NEXT: a]',
    '[TEAM_TASK]',
    '[NEXT',
    ']',
    '`',
    '```\n',
    '> ',
    '    ',
    '\n',
    '\n\n',
    'max',
    '\\',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(scanMarkers(text).markers.length === 0);
      expect(stripOuterMarkers(text, ['next', 'team-task'])).toBe(text.trimEnd());
    }),
  );
});
