import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { ScrollbackQueue, splitText } from '../../../../src/frontends/tui/paint/ScrollbackQueue.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import type { Paragraph } from '../../../../src/presentation/Paragraph.js';

function printed(blocks: readonly Paragraph[], width = 80): string[] {
  const queue = new ScrollbackQueue(createTheme(false, english));
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
    const queue = new ScrollbackQueue(createTheme(false, english), (block) => isHeld && block === code);
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

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/gu, '');
}

describe('splitText', () => {
  it('leaves a text of everyday length whole', () => {
    expect([...splitText('One.\n\nTwo.')]).toEqual([{ text: 'One.\n\nTwo.' }]);
  });

  it('cuts a long text at blank lines', () => {
    const paragraph = 'word '.repeat(300).trim();
    const text = Array.from({ length: 20 }, () => paragraph).join('\n\n');
    const pieces = [...splitText(text)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces).toEqual(pieces.map((piece) => ({ text: piece.text })));
    expect(pieces.map((piece) => piece.text).join('\n\n')).toBe(text);
  });

  it('closes a code block that it cuts and opens it again', () => {
    const code = Array.from({ length: 900 }, (_, index) => `const value${index} = ${index};`).join('\n');
    const pieces = [...splitText(`\`\`\`\`ts\n${code}\n\`\`\`\`\n`)];
    expect(pieces.length).toBeGreaterThan(2);
    for (const { text } of pieces) expect(text).toMatch(/^````ts\n[\s\S]*\n````\n?$/);
    expect(pieces[0]).not.toHaveProperty('isContinued');
    expect(pieces.at(-1)).toHaveProperty('isContinued', true);
    const lines = pieces.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith('const'));
    expect(lines.join('\n')).toBe(code);
  });

  it('keeps every character but blanks between pieces, in order, and cuts no pair in two', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\n', '\n\n', '👍'.repeat(2500), 'x'.repeat(5000), ' '),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('').replaceAll(/[`~]/g, '');
        const pieces = [...splitText(text)].map((piece) => piece.text);
        expect(withoutBlanks(pieces.join('')) === withoutBlanks(text)).toBe(true);
        expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= 9000)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
