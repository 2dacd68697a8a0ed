import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarkdownInline, PlacedBlock } from '../../src/markdown/MarkdownBlock.js';
import { plainTextOf } from '../../src/markdown/MarkdownBlock.js';
import { parseMarkdown } from '../../src/markdown/parseMarkdown.js';
import { isFast } from '../tier.js';

const text = (words: string): MarkdownInline => ({ kind: 'text', text: words });
const paragraph = (words: string, isApart = false): PlacedBlock => ({
  kind: 'paragraph',
  children: [text(words)],
  isApart,
});

describe('parseMarkdown', () => {
  test('reads headings, quotes, rules and text in several forms, and says what stands apart', () => {
    expect(parseMarkdown('## A\n> b\n\n---\n**c *d*** ~~e~~ `f`\ng')).toEqual([
      { kind: 'heading', level: 2, children: [text('A')], isApart: false },
      { kind: 'quote', blocks: [paragraph('b')], isApart: false },
      { kind: 'rule', isApart: true },
      {
        kind: 'paragraph',
        isApart: false,
        children: [
          { kind: 'strong', children: [text('c '), { kind: 'emphasis', children: [text('d')] }] },
          text(' '),
          { kind: 'strike', children: [text('e')] },
          text(' '),
          { kind: 'code', text: 'f' },
          { kind: 'line-break' },
          text('g'),
        ],
      },
    ]);
  });

  test('reads lists in lists, their numbers, and tasks', () => {
    expect(parseMarkdown('3. a\n   - [x] b\n   - [ ] c')).toEqual([
      {
        kind: 'list',
        start: 3,
        isApart: false,
        items: [
          {
            blocks: [
              paragraph('a'),
              {
                kind: 'list',
                isApart: false,
                items: [
                  { isDone: true, blocks: [paragraph('b')] },
                  { isDone: false, blocks: [paragraph('c')] },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test('reads tables with the alignment of their columns, and code with its language', () => {
    expect(
      parseMarkdown('| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | |\n\n``` TS x\n  d\n\n```\n\n    e'),
    ).toEqual([
      {
        kind: 'table',
        isApart: false,
        alignments: ['left', 'center', 'right'],
        head: [[text('a')], [text('b')], [text('c')]],
        rows: [[[text('1')], [text('2')], []]],
      },
      { kind: 'code', language: 'ts', text: '  d\n', isApart: true },
      { kind: 'code', language: '', text: 'e', isApart: true },
    ]);
  });

  test('makes a link only of what leads to the web or to a mailbox', () => {
    const links = parseMarkdown(
      '[a](HTTPS://b.org) <mailto:c@d.org> https://e.org main.rs [f](file:///g)',
    )[0];
    expect(links).toMatchObject({
      children: [
        { kind: 'link', url: 'HTTPS://b.org' },
        text(' '),
        { kind: 'link', url: 'mailto:c@d.org' },
        text(' '),
        { kind: 'link', url: 'https://e.org' },
        text(' main.rs f (file:///g)'),
      ],
    });
  });

  test('makes every text harmless, also what is written by its number', () => {
    expect(parseMarkdown('a\x1b[2J &#x202e;b `\0` \r\nc')).toEqual([
      {
        kind: 'paragraph',
        isApart: false,
        children: [text('a␛[2J <U+202E>b '), { kind: 'code', text: '␀' }, { kind: 'line-break' }, text('c')],
      },
    ]);
  });

  test('loses no word, however deep it stands', () => {
    for (const deep of [
      `${'> '.repeat(200)}word`,
      `${'- '.repeat(200)}word`,
      `${'*a '.repeat(200)}word${' b*'.repeat(200)}`,
    ])
      expect(wordsOf(parseMarkdown(`${deep}\n\nafter`)).match(/word|after/gu)).toEqual(['word', 'after']);
    const pieces = fc.constantFrom(
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '  ',
      '# ',
      '**',
      '`',
      '```\n',
      '[',
      '](',
      ')',
      '---\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.constant('word '))), (parts) => {
        const count = parts.filter((part) => part === 'word ').length;
        // The word after an opening fence is a language, and not a text.
        const found = wordsOf(parseMarkdown(parts.join('')));
        expect(found.match(/word/gu)?.length ?? 0).toBe(count);
      }),
    );
  });

  test.each([
    '[',
    '![',
    '*a ',
    '**a_ ',
    '`',
    '`a``',
    '> ',
    '>',
    '- ',
    '> a\n',
    '| a ',
    '|a|b|\n|-|-|\n',
    '[a](',
    '<a@b.',
    'http://a(',
    '&#x202e;',
    '\u202e',
    '~~~\n',
  ])('takes time in proportion to the length of %j', (piece) => {
    const measure = (characters: number): number => {
      const hostile = piece.repeat(Math.ceil(characters / piece.length));
      const before = process.cpuUsage();
      parseMarkdown(hostile);
      return process.cpuUsage(before).user / 1000;
    };
    const [length, least] = isFast ? [4 * 1024, 1.25] : [16 * 1024, 5];
    // The least of three: what else the machine does only adds.
    const small = Math.min(...[1, 2, 3].map(() => measure(length)));
    const large = Math.min(...[1, 2, 3].map(() => measure(16 * length)));
    // 16 times as much: time that grew with the square would be 256 times as much.
    expect(large).toBeLessThan(Math.max(least, small) * 64);
  });
});

function wordsOf(blocks: readonly PlacedBlock[]): string {
  return blocks
    .map((block) => {
      if ('children' in block) return plainTextOf(block.children);
      if (block.kind === 'code') return `${block.language} ${block.text}`;
      if (block.kind === 'quote') return wordsOf(block.blocks);
      if (block.kind === 'list') return block.items.map((item) => wordsOf(item.blocks)).join(' ');
      return block.kind === 'table' ? [block.head, ...block.rows].flat().map(plainTextOf).join(' ') : '';
    })
    .join(' ');
}
