import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { renderMarkdown, shareWidth } from '../../../../src/frontends/tui/paint/renderMarkdown.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import { highlightCode } from '../../../../src/markdown/highlightCode.js';

const theme = createTheme(true, english);

function lay(text: string, width = 40): string[] {
  return renderMarkdown(text, { width, look: theme.markdown }).map((line) =>
    stripVTControlCharacters(line).trimEnd(),
  );
}

describe('renderMarkdown', () => {
  it('sets lists in lists under their own text, with numbers and tasks aligned', () => {
    expect(
      lay('9. nine words that have to be wrapped somewhere\n   - [x] done\n10. ten\n\n    more'),
    ).toEqual([
      ' 9. nine words that have to be wrapped',
      '    somewhere',
      '    ☑ done',
      '10. ten',
      '',
      '    more',
    ]);
  });

  it('leaves a blank line where the source has one, and around what stands for itself', () => {
    expect(lay('# A\nb:\n- c\n- d\n\ne\n> f\n>\n> g\n\n---\nh')).toEqual([
      'A',
      '',
      'b:',
      '- c',
      '- d',
      '',
      'e',
      '│ f',
      '│',
      '│ g',
      '',
      '─'.repeat(40),
      '',
      'h',
    ]);
  });

  it('breaks lines between words and between Chinese characters, not before their punctuation', () => {
    expect(lay('one **two**three `four five`', 13)).toEqual(['one twothree', 'four five']);
    expect(lay('用 Redis 保存会话，二十四小时后过期。', 12)).toEqual([
      '用 Redis 保',
      '存会话，二十',
      '四小时后过',
      '期。',
    ]);
    expect(lay(`a ${'x'.repeat(12)}`, 8)).toEqual(['a', 'xxxxxxxx', 'xxxx']);
  });

  it('keeps every blank of code and wraps it where the line ends', () => {
    expect(lay('```\n\tif (a) {\n  b   c\n\n}\n```', 12)).toEqual([
      '      if (a)',
      '   {',
      '    b   c',
      '',
      '  }',
    ]);
  });

  it('paints code in the colours of the terminal, and leaves code without a language plain', () => {
    const space = { width: 40, look: theme.markdown, highlight: highlightCode };
    expect(renderMarkdown('```sh\necho "a" # b\n```', space)).toEqual([
      '  \x1b[36mecho\x1b[39m \x1b[32m"a"\x1b[39m \x1b[2m# b\x1b[22m',
    ]);
    expect(renderMarkdown('```\necho "a"\n```', space)).toEqual(['  echo "a"']);
  });

  it('ends every form with its own words, so that a broken line paints nothing beside it', () => {
    expect(renderMarkdown('> **one two**', { width: 10, look: theme.markdown })).toEqual([
      '\x1b[2m│ \x1b[22m\x1b[1mone two\x1b[22m',
    ]);
    expect(renderMarkdown('> **one two three**', { width: 10, look: theme.markdown })).toEqual([
      '\x1b[2m│ \x1b[22m\x1b[1mone two\x1b[22m',
      '\x1b[2m│ \x1b[22m\x1b[1mthree\x1b[22m',
    ]);
  });

  it('tells a table row by row where there is no room for columns', () => {
    const table = '| name | first column | second column |\n|-|-|-|\n| a | 1 | |\n| b | 2 | 3 |';
    expect(lay(table, 18)).toEqual([
      ...['name: a', 'first column: 1', 'second column:', ''],
      ...['name: b', 'first column: 2', 'second column: 3'],
    ]);
    expect(lay('| a very long head | b very long head |\n|-|-|', 12)).toEqual([
      ...['a very long', 'head:', 'b very long', 'head:'],
    ]);
  });

  it('loses nothing where quotes and lists are deeper than the screen is wide', () => {
    expect(lay(`${'> '.repeat(12)}deep words`, 12).join(' ')).toMatch(/deep .*words/u);
  });
});

describe('shareWidth', () => {
  it('gives columns what they need, and what is left in equal parts to those that need more', () => {
    expect(shareWidth([4, 100, 7, 300], 61)).toEqual([4, 25, 7, 25]);
    expect(shareWidth([3, 4], 40)).toEqual([3, 4]);
    expect(shareWidth([100, 100], 10)).toBeUndefined();
  });

  it('never gives more than there is, and no column less than it needs while another has more than its share', () => {
    const needs = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(needs, fc.integer({ min: 1, max: 200 }), (natural, room) => {
        const widths = shareWidth(natural, room);
        if (widths === undefined) return;
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(room);
        const widest = Math.max(...widths);
        for (const [column, width] of widths.entries())
          if (width < Math.max(1, natural[column] ?? 0)) expect(width).toBeGreaterThanOrEqual(widest - 1);
      }),
    );
  });
});

it('a row of a table is as wide as its columns, whatever is in them', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[|\\\n\r`]/gu, ''));
  fc.assert(
    fc.property(cell, cell, fc.integer({ min: 20, max: 60 }), (a, b, width) => {
      const lines = renderMarkdown(`|x|y|\n|-|-|\n|中${a}|文${b}|`, { width, look: theme.markdown });
      expect(new Set(lines.map((line) => visibleWidth(line))).size).toBe(1);
    }),
  );
});
