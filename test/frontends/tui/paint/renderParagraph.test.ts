import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { renderParagraph } from '../../../../src/frontends/tui/paint/renderParagraph.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import { isApart, type Paragraph } from '../../../../src/presentation/Paragraph.js';
import { shown } from '../events.js';

const theme = createTheme(true, english);

function lay(block: Paragraph, width = 40): string[] {
  return renderParagraph(block, width, theme).map(stripVTControlCharacters);
}

describe('renderParagraph', () => {
  it('shows a name with the sign of a person or an agent, and to whom they speak', () => {
    const person = shown('kailai', 'human');
    const agent = shown('max', 'ai', { title: 'Architect' });
    expect(lay({ kind: 'heading', member: person, addressees: ['max', 'sarah'] })).toEqual([
      '› kailai  → max, sarah',
    ]);
    expect(lay({ kind: 'heading', member: agent, addressees: [] })).toEqual(['● max  Architect']);
    expect(lay({ kind: 'member', member: agent, description: 'Codex · edit' })).toEqual([
      '● max  Architect · Codex · edit',
    ]);
  });

  it('lays out markdown two columns in', () => {
    const text = 'Use **Redis**:\n\n```ts\nconst ttl = 1;\n```\n\n- short\n- rotated';
    expect(lay({ kind: 'text', text, tone: 'plain' })).toEqual([
      '  Use Redis:',
      '',
      '    const ttl = 1;',
      '',
      '  - short',
      '  - rotated',
    ]);
  });

  it('puts the aside of a line at the right edge and cuts what does not fit', () => {
    const line = { kind: 'line', icon: '✓', tone: 'good', text: 'Bash npm test', aside: '#1' } as const;
    const atEdge = (text: string, width: number) => [`${text.padEnd(width - 2)}#1`];
    expect(lay({ ...line, detail: '12 passed' }, 40)).toEqual(atEdge('  ✓ Bash npm test · 12 passed', 40));
    expect(lay({ ...line, detail: 'one\ntwo' }, 30)).toEqual(atEdge('  ✓ Bash npm test · one t…', 30));
    expect(lay({ ...line, detail: 'one\ntwo' }, 24)).toEqual(atEdge('  ✓ Bash npm test', 24));
    expect(lay({ ...line, text: `Bash ${'x'.repeat(99)}` }, 20)).toEqual(atEdge('  ✓ Bash xxxxxx…', 20));
  });

  it('says whom a turn hands over to on a line of its own where the window is narrow', () => {
    const ending = { kind: 'ending', addressees: ['莎拉'], aside: '0.2 s · turn-3' } as const;
    expect(lay(ending, 24)).toEqual(['  → 莎拉  0.2 s · turn-3']);
    expect(lay(ending, 23)).toEqual(['  → 莎拉', '         0.2 s · turn-3']);
    expect(lay({ ...ending, addressees: [] }, 23)).toEqual(['         0.2 s · turn-3']);
  });

  it('gives each agent a colour by its place, and people none', () => {
    const names = [0, 1, 2].map((place) => theme.name(shown('a', 'ai', { place }))('a'));
    expect(new Set(names).size).toBe(3);
    expect(theme.name(shown('k', 'human'))('k')).toBe('\x1b[1mk\x1b[22m');
    expect(createTheme(false, english).name(shown('a', 'ai'))('a')).toBe('\x1b[1ma\x1b[22m');
  });

  it('shows escape sequences instead of obeying them, wherever they come from', () => {
    const attack = 'a\x1b]0;owned\x07\x1b[2J\u202eb';
    const member = shown(attack, 'ai', { title: attack });
    const blocks: Paragraph[] = [
      { kind: 'heading', member, addressees: [attack] },
      { kind: 'member', member, description: attack },
      { kind: 'text', text: attack, tone: 'plain' },
      { kind: 'text', text: `\`${attack}\` [x](http://${attack})`, tone: 'quiet' },
      // An entity becomes a character only when the Markdown is read.
      { kind: 'text', text: `${attack} &#x202e;`, tone: 'plain' },
      { kind: 'line', icon: '✓', tone: 'good', text: attack, detail: attack, aside: attack },
      { kind: 'note', tone: 'bad', text: attack },
      { kind: 'details', title: attack, text: attack },
    ];
    for (const block of blocks) {
      const bytes = renderParagraph(block, 200, theme).join('\n');
      expect(bytes).toContain('␛]0;owned␇');
      expect(bytes.replaceAll(/\x1b\[\d+m/g, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  it('never makes a line wider than the screen, and never sends a sequence but colours', () => {
    const anything = fc.string({ unit: 'grapheme', maxLength: 300 });
    const markdown = fc
      .array(
        fc.oneof(
          anything,
          fc.constantFrom(
            '\n\n',
            '# ',
            '- ',
            '| a | b |\n|---|---|\n',
            '```\n',
            '> ',
            '\t',
            '**',
            '[',
            '](x)',
          ),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 130 }), (text, width) => {
        const member = shown(text, 'ai', { place: 3 });
        const blocks: Paragraph[] = [
          { kind: 'text', text, tone: 'plain' },
          { kind: 'details', title: text, text },
          { kind: 'note', tone: 'warning', text },
          { kind: 'line', icon: '±', tone: 'plain', text, detail: text, aside: '#1' },
          { kind: 'heading', member, addressees: [text] },
        ];
        for (const block of blocks)
          for (const line of renderParagraph(block, width, theme)) {
            expect(visibleWidth(line)).toBeLessThanOrEqual(width);
            expect(line.replaceAll(/\x1b\[[\d;]*m/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
      }),
      { numRuns: 300 },
    );
  });
});

describe('isApart', () => {
  const heading: Paragraph = { kind: 'heading', member: shown('k', 'human'), addressees: [] };
  const text: Paragraph = { kind: 'text', text: 't', tone: 'plain' };
  const line: Paragraph = { kind: 'line', icon: '✓', tone: 'good', text: 'l' };
  const details: Paragraph = { kind: 'details', title: 'd', text: 't' };
  const note: Paragraph = { kind: 'note', tone: 'plain', text: 'n' };

  it('leaves a blank line before a name and where the kind changes, and between texts, none under a name', () => {
    const pairs: Array<[Paragraph | null, Paragraph, boolean]> = [
      [null, heading, false],
      [text, heading, true],
      [heading, text, false],
      [text, line, true],
      [line, line, false],
      [line, note, true],
      [note, note, false],
      [note, { ...note, tone: 'strong' }, true],
      [note, text, true],
      [text, text, true],
      [text, { ...text, isContinued: true }, false],
      [details, details, true],
    ];
    expect(pairs.map(([before, after]) => isApart(before, after))).toEqual(pairs.map(([, , apart]) => apart));
  });
});
