import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../../../src/frontends/tui/screen/splitText.js';

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
