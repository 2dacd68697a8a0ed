import { describe, expect, it } from 'vitest';
import type { ReaderEvent } from '../../../src/agents/dialect/Dialect.js';
import { AnswerText, HeldText } from '../../../src/agents/process/AnswerText.js';

function fold(events: readonly ReaderEvent[], held?: HeldText): AnswerText {
  const answer = new AnswerText(held);
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

  describe('that is too long', () => {
    const mark = (bytes: number) =>
      `\n\n[… ${bytes} bytes cut here and not saved: the answer is too long]\n\n`;

    it('loses its middle, between characters, and has a mark there', () => {
      expect(fold([delta('éé'), delta('éé-'), delta('éé-'), delta('end')], new HeldText(7, 5)).draft).toBe(
        `ééé${mark(7)}-end`,
      );
      expect(fold([delta('éé'), delta('ééx')], new HeldText(7, 3)).draft).toBe('ééééx');
    });

    it('is the same when its blocks are settled, one by one or from deltas', () => {
      const blocks = [text('éé'), text('middle'), text('end')];
      expect(fold(blocks, new HeldText(7, 5)).text).toBe(`éé\n\nm${mark(5)}\n\nend`);
      const deltas = [text('éé'), delta('mid'), delta('dle'), delta('-end'), { type: 'text-end' } as const];
      expect(fold(deltas, new HeldText(7, 5)).text).toBe(
        fold([text('éé'), text('middle-end')], new HeldText(7, 5)).text,
      );
    });

    it('is held in a few pieces, however many come', () => {
      const held = new HeldText(4, 4);
      for (let n = 0; n < 1000; n += 1) held.append(`${n},`);
      expect(held.text).toBe(`0,1,${mark(3890 - 8)}999,`);
    });
  });
});
