import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ScrollbackQueue } from '../../../../src/frontends/tui/paint/ScrollbackQueue.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import type { Paragraph } from '../../../../src/frontends/tui/screen/Paragraph.js';

function printed(blocks: readonly Paragraph[], width = 80): string[] {
  const queue = new ScrollbackQueue(createTheme(false));
  queue.add(blocks);
  return queue.take(width, () => false).map(stripVTControlCharacters);
}

function said(text: string): Paragraph {
  return { kind: 'text', text, tone: 'plain' };
}

describe('ScrollbackQueue', () => {
  it('keeps what an agent says in two parts apart', () => {
    expect(printed([said('One.'), said('Two.')])).toEqual(['  One.', '', '  Two.']);
  });

  it('prints a long text with all its blank lines, although it is laid out in pieces', () => {
    const paragraphs = Array.from(
      { length: 200 },
      (_, index) => `Paragraph ${index} ${'word '.repeat(9)}end.`,
    );
    expect(printed([said(paragraphs.join('\n\n'))])).toEqual(
      paragraphs.flatMap((paragraph, index) => (index === 0 ? [`  ${paragraph}`] : ['', `  ${paragraph}`])),
    );
  });

  it('prints long code further in, and no fences', () => {
    const code = Array.from({ length: 900 }, (_, index) => `const value${index} = ${index};`);
    expect(printed([said(['```ts', ...code, '```'].join('\n'))])).toEqual(code.map((line) => `    ${line}`));
  });

  it('holds back a block and those after it until they are free, or all is to be printed', () => {
    let isHeld = true;
    const queue = new ScrollbackQueue(createTheme(false), (block) => isHeld && block === code);
    const code = said('```ts\na\n```');
    queue.add([said('One.'), code, said('Two.')]);
    expect(queue.take(80, () => false)).toEqual(['  One.']);
    expect(queue.hasMore).toBe(false);
    isHeld = false;
    expect(queue.hasMore).toBe(true);
    expect(queue.take(80, () => false)).toEqual(['', '    a', '', '  Two.']);
    isHeld = true;
    queue.add([code]);
    expect(queue.takeAll(80)).toEqual(['', '    a']);
  });

  it('prints details as they are, under their title once', () => {
    const rows = Array.from({ length: 900 }, (_, index) => (index % 9 === 0 ? '```' : `row ${index}`));
    expect(printed([{ kind: 'details', title: 'Result', text: rows.join('\n') }])).toEqual(
      ['Result', ...rows].map((line) => `  ${line}`),
    );
  });
});
