import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, isApart } from '../../../src/frontends/tui/Block.js';
import { renderBlock } from '../../../src/frontends/tui/renderBlock.js';
import { createTheme } from '../../../src/frontends/tui/theme.js';

const theme = createTheme(true);

function shown(block: Block, width = 40): string[] {
  return renderBlock(block, width, theme).map(stripVTControlCharacters);
}

describe('renderBlock', () => {
  it('shows a name with the sign of a person or an agent, and to whom they speak', () => {
    const person = { type: 'human', name: 'kailai' } as const;
    const agent = { type: 'ai', name: 'max', title: 'Architect', place: 0 } as const;
    expect(shown({ kind: 'heading', speaker: person, addressees: ['max', 'sarah'] })).toEqual([
      '› kailai  → max, sarah',
    ]);
    expect(shown({ kind: 'heading', speaker: agent, addressees: [] })).toEqual(['● max  Architect']);
    expect(shown({ kind: 'member', speaker: agent, description: 'Codex · edit' })).toEqual([
      '● max  Architect · Codex · edit',
    ]);
  });

  it('lays out markdown two columns in', () => {
    const text = 'Use **Redis**:\n\n```ts\nconst ttl = 1;\n```\n\n- short\n- rotated';
    expect(shown({ kind: 'text', text, tone: 'plain' })).toEqual([
      '  Use Redis:',
      '',
      '  ```ts',
      '  const ttl = 1;',
      '  ```',
      '',
      '  - short',
      '  - rotated',
    ]);
  });

  it('puts the aside of a line at the right edge and cuts what does not fit', () => {
    const line = { kind: 'line', icon: '✓', tone: 'good', text: 'Bash npm test', aside: '#1' } as const;
    const atEdge = (text: string, width: number) => [`${text.padEnd(width - 2)}#1`];
    expect(shown({ ...line, detail: '12 passed' }, 40)).toEqual(atEdge('  ✓ Bash npm test · 12 passed', 40));
    expect(shown({ ...line, detail: 'one\ntwo' }, 30)).toEqual(atEdge('  ✓ Bash npm test · one t…', 30));
    expect(shown({ ...line, detail: 'one\ntwo' }, 24)).toEqual(atEdge('  ✓ Bash npm test', 24));
    expect(shown({ ...line, text: `Bash ${'x'.repeat(99)}` }, 20)).toEqual(atEdge('  ✓ Bash xxxxxx…', 20));
  });

  it('says whom a turn hands over to on a line of its own where the window is narrow', () => {
    const ending = { kind: 'ending', addressees: ['莎拉'], aside: '0.2 s · turn-3' } as const;
    expect(shown(ending, 24)).toEqual(['  → 莎拉  0.2 s · turn-3']);
    expect(shown(ending, 23)).toEqual(['  → 莎拉', '         0.2 s · turn-3']);
    expect(shown({ ...ending, addressees: [] }, 23)).toEqual(['         0.2 s · turn-3']);
  });

  it('gives each agent a colour by its place, and people none', () => {
    const names = [0, 1, 2].map((place) => theme.name({ type: 'ai', name: 'a', place })('a'));
    expect(new Set(names).size).toBe(3);
    expect(theme.name({ type: 'human', name: 'k' })('k')).toBe('\x1b[1mk\x1b[22m');
    expect(createTheme(false).name({ type: 'ai', name: 'a', place: 0 })('a')).toBe('\x1b[1ma\x1b[22m');
  });

  it('shows escape sequences instead of obeying them, wherever they come from', () => {
    const attack = 'a\x1b]0;owned\x07\x1b[2J\u202eb';
    const speaker = { type: 'ai', name: attack, title: attack, place: 0 } as const;
    const blocks: Block[] = [
      { kind: 'heading', speaker, addressees: [attack] },
      { kind: 'member', speaker, description: attack },
      { kind: 'text', text: attack, tone: 'plain' },
      { kind: 'text', text: `\`${attack}\` [x](http://${attack})`, tone: 'quiet' },
      { kind: 'line', icon: '✓', tone: 'good', text: attack, detail: attack, aside: attack },
      { kind: 'note', tone: 'bad', text: attack },
      { kind: 'details', title: attack, text: attack },
    ];
    for (const block of blocks) {
      const bytes = renderBlock(block, 200, theme).join('\n');
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
        const speaker = { type: 'ai', name: text, place: 3 } as const;
        const blocks: Block[] = [
          { kind: 'text', text, tone: 'plain' },
          { kind: 'details', title: text, text },
          { kind: 'note', tone: 'warning', text },
          { kind: 'line', icon: '±', tone: 'plain', text, detail: text, aside: '#1' },
          { kind: 'heading', speaker, addressees: [text] },
        ];
        for (const block of blocks)
          for (const line of renderBlock(block, width, theme)) {
            expect(visibleWidth(line)).toBeLessThanOrEqual(width);
            expect(line.replaceAll(/\x1b\[[\d;]*m/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
      }),
      { numRuns: 300 },
    );
  });
});

describe('isApart', () => {
  const heading: Block = { kind: 'heading', speaker: { type: 'human', name: 'k' }, addressees: [] };
  const text: Block = { kind: 'text', text: 't', tone: 'plain' };
  const line: Block = { kind: 'line', icon: '✓', tone: 'good', text: 'l' };
  const details: Block = { kind: 'details', title: 'd', text: 't' };
  const note: Block = { kind: 'note', tone: 'plain', text: 'n' };

  it('leaves a blank line before a name and where the kind changes, and between texts, none under a name', () => {
    const pairs: Array<[Block | null, Block, boolean]> = [
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
      [text, { ...text, cutBefore: 'paragraph' }, false],
      [details, details, true],
    ];
    expect(pairs.map(([before, after]) => isApart(before, after))).toEqual(pairs.map(([, , apart]) => apart));
  });
});
