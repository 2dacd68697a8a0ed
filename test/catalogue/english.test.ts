import { describe, expect, it } from 'vitest';
import { describePause } from '../../src/catalogue/tellings.js';
import { words } from '../../src/catalogue/words.js';

describe('sentences with numbers', () => {
  it.each([
    [words.limits.agentTurns, '1 agent turn in a row', '2 agent turns in a row'],
    [words.limits.pairTurns, '1 turn back and forth between the same two agents', '2 turns back and forth'],
    [words.limits.sameAnswer, 'the same answer 1 time', 'the same answer 2 times'],
    [words.limits.tokens, '1 token used', '2 tokens used'],
    [words.limits.usd, '1 US dollar spent', '2 US dollars spent'],
    [
      (count: number) => words.print.trouble('x', count, ''),
      'draft kept (1 character)',
      'draft kept (2 characters)',
    ],
    [words.why.cut, '1 byte was cut', '2 bytes were cut'],
    [words.sessions.elsewhere, '1 session in', '2 sessions in'],
    [words.terminal.earlierMessages, '1 earlier message ', '2 earlier messages '],
    [(count: number) => words.doctor.team('f', 'n', count), '"n", 1 agent', '"n", 2 agents'],
    [
      (count: number) => words.teamCheck.valid('f', count, count),
      '1 agent, 1 person.',
      '2 agents, 2 people.',
    ],
    [(count: number) => words.telling.tokens(String(count)), '1 token', '2 tokens'],
  ])('%o speak of one thing as of one and of two as of two', (sentence, one, two) => {
    expect(sentence(1)).toContain(one);
    expect(sentence(1)).not.toContain(`${one}s`);
    expect(sentence(2)).toContain(two);
  });

  it('write large numbers so that they can be read', () => {
    expect(words.limits.tokens(2_000_000)).toBe('2,000,000 tokens used');
    const pausedAt = (count: number) => describePause({ kind: 'limit', limit: 'usd', count, max: 5 });
    expect(pausedAt(5.000000000001)).toBe('Paused: 5 US dollars spent.');
    expect(pausedAt(5.3125)).toBe('Paused: 5 US dollars spent (5.3125 reached).');
  });
});
