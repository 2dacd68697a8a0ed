import { describe, expect, it } from 'vitest';
import type { ReaderEvent } from '../../../src/agents/dialect/Dialect.js';
import { AnswerText } from '../../../src/agents/process/AnswerText.js';

function fold(events: readonly ReaderEvent[], maxBytes?: number): AnswerText {
  const answer = new AnswerText(maxBytes);
  for (const event of events) answer.add(event);
  return answer;
}

const text = (value: string): ReaderEvent => ({ type: 'text', text: value });
const delta = (value: string): ReaderEvent => ({ type: 'text-delta', text: value });

describe('the text of an answer', () => {
  it('is its settled blocks with a blank line between them', () => {
    expect(fold([text('one'), text(''), text('two')]).text).toBe('one\n\ntwo');
  });

  it('has deltas only until their block is settled', () => {
    const answer = fold([delta('o'), delta('n'), text('one'), delta('tw')]);
    expect(answer.text).toBe('one');
    expect(answer.draft).toBe('one\n\ntw');
  });

  it('has deltas as a block when they are said to be whole, and tells it', () => {
    const answer = fold([text('one'), delta('t'), delta('wo')]);
    expect(answer.add({ type: 'text-end' })).toEqual(text('two'));
    expect(answer.text).toBe('one\n\ntwo');
  });

  it('is the deltas when the agent settles none', () => {
    expect(fold([delta('a '), delta('b')]).text).toBe('a b');
  });

  it('loses the deltas of an attempt that was given up', () => {
    expect(fold([delta('wrong'), { type: 'text-reset' }, delta('right')]).draft).toBe('right');
  });

  it('is well-formed also when a pair was cut by two deltas', () => {
    expect(fold([delta('\ud83d'), delta('\ude00 \ud800')]).text).toBe('😀 \ufffd');
  });

  it('is cut at a character when it is too long, and says so', () => {
    expect(fold([text('éé'), text('éé'), text('more')], 7).text).toBe('éé\n\né\n[… 6 bytes cut]');
    expect(fold([delta('éé'), delta('ééx')], 7).draft).toBe('ééé\n[… 3 bytes cut]');
    expect(fold([delta('éé'), delta('ééx'), { type: 'text-end' }], 7).text).toBe('ééé\n[… 3 bytes cut]');
  });
});
