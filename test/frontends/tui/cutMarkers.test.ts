import { describe, expect, it } from 'vitest';
import { cutHandOver, cutTask } from '../../../src/frontends/tui/cutMarkers.js';

describe('cutHandOver', () => {
  it.each([
    ['Done.\n\n[NEXT: max]', 'Done.'],
    ['Done.\n[next: max, 小明] \n', 'Done.'],
    ['完成。\n［NEXT：小明］', '完成。'],
    ['[NEXT: max] Please look.', 'Please look.'],
    ['Where is it weak? [NEXT: max]', 'Where is it weak?'],
    ['好的，我同意。[NEXT: 小明]', '好的，我同意。'],
    ['好的 ［NEXT：小明］', '好的'],
    ['Done.[NEXT: max]', 'Done.'],
    ['a list[NEXT: max]', 'a list[NEXT: max]'],
    ['Write \\[NEXT: max]', 'Write \\[NEXT: max]'],
    ['[NEXT: max]', ''],
    ['[NEXT: a] Look.\n[NEXT: b]', 'Look.'],
    ['    indented\ncode', '    indented\ncode'],
    ['Ask [NEXT: max] about it', 'Ask [NEXT: max] about it'],
    ['```\n[NEXT: max]\n```', '```\n[NEXT: max]\n```'],
    ['', ''],
  ])('makes %j read %j', (text, shown) => {
    expect(cutHandOver(text)).toBe(shown);
  });

  it('finds the hand-over at the end of a very long text', () => {
    const long = 'word '.repeat(100_000).trimEnd();
    expect(cutHandOver(`${long}\n[NEXT: max]`) === long).toBe(true);
  });
});

describe('cutTask', () => {
  it.each([
    ['[TEAM_TASK] Design a login\n\nHow?', 'How?'],
    ['[team_task] Design\na login\n  \nHow?', 'How?'],
    ['[TEAM_TASK] Design a login', ''],
    ['[TEAM_TASK] Design a login [NEXT: max] How?', '[NEXT: max] How?'],
    ['［TEAM_TASK：设计］ 怎么做？', '怎么做？'],
    ['How? [TEAM_TASK] Design a login', 'How? [TEAM_TASK] Design a login'],
  ])('makes %j read %j', (text, shown) => {
    expect(cutTask(text)).toBe(shown);
  });
});
