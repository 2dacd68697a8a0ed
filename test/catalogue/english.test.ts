import { describe, expect, it } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import { describePause } from '../../src/catalogue/tellings.js';
import { terminalEnglish } from '../../src/catalogue/terminal.js';

describe('sentences with numbers', () => {
  it.each([
    [english.limits.agentTurns, '1 agent turn in a row', '2 agent turns in a row'],
    [english.limits.pairTurns, '1 turn back and forth between the same two agents', '2 turns back and forth'],
    [english.limits.sameAnswer, 'the same answer 1 time', 'the same answer 2 times'],
    [english.limits.tokens, '1 token used', '2 tokens used'],
    [english.limits.usd, '1 US dollar spent', '2 US dollars spent'],
    [english.print.keptDraft, 'draft kept (1 character)', 'draft kept (2 characters)'],
    [english.why.cut, '1 byte was cut', '2 bytes were cut'],
    [english.sessions.elsewhere, '1 session in', '2 sessions in'],
    [terminalEnglish.earlierMessages, '1 earlier message ', '2 earlier messages '],
    [(count: number) => english.doctor.team('f', 'n', count), '"n", 1 agent', '"n", 2 agents'],
    [
      (count: number) => english.teamCheck.valid('f', count, count),
      '1 agent, 1 person.',
      '2 agents, 2 people.',
    ],
    [(count: number) => english.telling.tokens(String(count)), '1 token', '2 tokens'],
  ])('%o speak of one thing as of one and of two as of two', (sentence, one, two) => {
    expect(sentence(1)).toContain(one);
    expect(sentence(1)).not.toContain(`${one}s`);
    expect(sentence(2)).toContain(two);
  });

  it('write large numbers so that they can be read', () => {
    expect(english.limits.tokens(2_000_000)).toBe('2,000,000 tokens used');
    const pausedAt = (count: number) => describePause({ kind: 'limit', limit: 'usd', count, max: 5 });
    expect(pausedAt(5.000000000001)).toBe('Paused: 5 US dollars spent.');
    expect(pausedAt(5.3125)).toBe('Paused: 5 US dollars spent (5.3125 reached).');
  });
});
