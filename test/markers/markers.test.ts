import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Marker, removeMarkers, scanMarkers, stripMarkers } from '../../src/markers/markers.js';
import { tries } from '../tier.js';
import { codeCases } from './codeCases.js';

const RUNS = { numRuns: tries(5_000) };

function textFrom(pieces: readonly string[], maxLength = 30): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength }).map((chosen) => chosen.join(''));
}

function rangesOf(markers: readonly Marker[]): Array<readonly [number, number]> {
  return markers.map(({ start, end }) => [start, end] as const);
}

function liveNames(text: string): string[] {
  return scanMarkers(text).markers.flatMap((marker) => (marker.kind === 'next' ? marker.names : []));
}

function tasksOf(text: string): string[] {
  return scanMarkers(text).markers.flatMap((marker) => (marker.kind === 'team-task' ? marker.task : []));
}

/** A text that holds nothing Markdown could read as code, quote, comment or escape. */
const plainPieces = [
  '[NEXT:',
  '[next:',
  '[FROM:',
  '[From:',
  ']',
  '[',
  ' ',
  '\n',
  '\n\n',
  ',',
  ':',
  'max',
  'é',
  '😀',
];

const nastyPieces = [
  ...plainPieces,
  '[NEXT: a]',
  '[FROM: b]',
  '[TEAM_TASK]',
  '[TEAM_TASK: c]',
  '［NEXT：a、b］',
  '`',
  '``',
  '```',
  '```\n',
  '~~~\n',
  '> ',
  '- ',
  '1. ',
  '    ',
  '\t',
  '<!--',
  '-->',
  '\\',
  '\r\n',
  '\r',
  '#',
  '---\n',
  '===\n',
  '\ud83d',
  '\ude00',
  '\0',
  '\u3000',
  '］',
];

describe('reading markers', () => {
  it('splits a list of names at commas of every width and drops empty names', () => {
    expect(liveNames('[NEXT: max, sarah,,小明，carol、 olga ,]')).toEqual([
      'max',
      'sarah',
      '小明',
      'carol',
      'olga',
    ]);
  });

  it('accepts full-width brackets and colons, also mixed with narrow ones', () => {
    expect(liveNames('［NEXT：a］ [NEXT：b］ ［next: c]')).toEqual(['a', 'b', 'c']);
    expect(tasksOf('［TEAM_TASK］ build it')).toEqual(['build it']);
  });

  it('reports where a marker stands', () => {
    expect(scanMarkers('Hi [from: max] [NEXT: a, b]!').markers).toEqual([
      { kind: 'from', start: 3, end: 14, name: 'max' },
      { kind: 'next', start: 15, end: 27, names: ['a', 'b'] },
    ]);
  });

  it('takes [NEXT:] as a marker without names and [FROM:] as none', () => {
    expect(scanMarkers('[NEXT:]').markers).toEqual([{ kind: 'next', start: 0, end: 7, names: [] }]);
    expect(scanMarkers('[FROM:]').markers).toEqual([]);
  });

  it('takes no keyword without its colon and none with a space inside', () => {
    expect(scanMarkers('[NEXT] [FROM] [NEXT : a] [ NEXT: a] [NEXTS: a] [TEAM_TASKS]').markers).toEqual([]);
  });

  it('takes nothing longer than 4,096 characters as a marker', () => {
    const longest = `[NEXT:${'a'.repeat(4096 - '[NEXT:]'.length)}]`;
    expect(scanMarkers(longest).markers).toHaveLength(1);
    expect(scanMarkers(longest.replace(']', 'a]')).markers).toEqual([]);
  });

  it('ends a task at the first blank line', () => {
    expect(tasksOf('[TEAM_TASK] one\ntwo\n \t\nthree')).toEqual(['one\ntwo']);
    expect(tasksOf('[TEAM_TASK] one\r\ntwo\r\n\r\nthree')).toEqual(['one\r\ntwo']);
  });

  it('ends a task at the next known marker, not at any bracket', () => {
    expect(tasksOf('[TEAM_TASK] use arr[0] and [link](x) [NEXT: max] rest')).toEqual([
      'use arr[0] and [link](x)',
    ]);
    expect(tasksOf('[TEAM_TASK] one\n[TEAM_TASK: two] three')).toEqual(['one', 'two']);
    expect(tasksOf('[TEAM_TASK] say `[NEXT: x]` first')).toEqual(['say `[NEXT: x]` first']);
  });

  it('lets a task begin on the line below its marker, but not behind a blank line', () => {
    expect(tasksOf('[TEAM_TASK]\nbuild it')).toEqual(['build it']);
    expect(tasksOf('[TEAM_TASK]\n\nbuild it')).toEqual(['']);
  });

  it('keeps fenced code inside a task whole', () => {
    const task = 'make this pass:\n```js\none();\n\ntwo();\n```';
    expect(tasksOf(`[TEAM_TASK] ${task}\n\nrest`)).toEqual([task]);
  });

  it('names the markers that an unclosed fence has silenced', () => {
    const { markers, inUnclosedFence } = scanMarkers('[NEXT: a]\n```js\ncode\n[NEXT: b]\n[TEAM_TASK] x\n');
    expect(markers).toHaveLength(1);
    expect(inUnclosedFence).toMatchObject([
      { kind: 'next', names: ['b'] },
      { kind: 'team-task', task: 'x' },
    ]);
    expect(scanMarkers('```\n[NEXT: a]\n```').inUnclosedFence).toEqual([]);
    expect(scanMarkers('- ```\n  [NEXT: a]\n\nend').inUnclosedFence).toMatchObject([{ names: ['a'] }]);
  });
});

describe('markers in code, quotes and comments', () => {
  it('is checked with at least 200 cases', () => {
    expect(Object.values(codeCases).flat().length).toBeGreaterThanOrEqual(200);
  });

  describe.each(Object.entries(codeCases))('%s', (_title, cases) => {
    it.each(cases.map(([text, ...live]) => ({ text, live })))('$text', ({ text, live }) => {
      expect(liveNames(text)).toEqual(live);
    });
  });
});

describe('stripping markers', () => {
  it.each([
    ['Hello [NEXT: max] world', 'Hello world'],
    ['a   [NEXT: x]   b', 'a b'],
    ['a[NEXT: x]b', 'ab'],
    ['a [NEXT: x]b', 'a b'],
    ['Line 1\n[NEXT: a]\nLine 2', 'Line 1\nLine 2'],
    ['Line 1\r\n  [NEXT: a]\t\r\nLine 2', 'Line 1\r\nLine 2'],
    ['Line 1\n\n[NEXT: a]\n\nLine 2', 'Line 1\n\n\nLine 2'],
    ['[NEXT: a] [FROM: b]\t[NEXT: c]\nLine', 'Line'],
    ['x [NEXT: a] [NEXT: b] y', 'x y'],
    ['[NEXT: a][NEXT: b]', ''],
    ['text  [NEXT: a]\n    next', 'text\n    next'],
    ['text\n  [NEXT: a] next', 'text\nnext'],
    ['a  b [NEXT: x] c  d\n\n\ne', 'a  b c  d\n\n\ne'],
    ['[NE[NEXT: x]XT: y]', '[NEXT: y]'],
    ['[FROM: max] Hi [NEXT: sarah]', 'Hi'],
    ['\\[NEXT: x] stays', '\\[NEXT: x] stays'],
    ['`[NEXT: x]`  stays [NEXT: a]', '`[NEXT: x]`  stays'],
    ['[TEAM_TASK] do it\nwell\n\nHello', 'Hello'],
    ['Hi\n[TEAM_TASK] do it\n\nHello', 'Hi\n\nHello'],
    ['Hi [TEAM_TASK: do it] there', 'Hi there'],
    ['[TEAM_TASK] build auth [NEXT: max]', ''],
    ['  no marker  ', 'no marker'],
  ])('%j becomes %j', (raw, clean) => {
    expect(stripMarkers(raw)).toBe(clean);
  });

  it.each([
    ['[TEAM_TASK] text', 'text'],
    ['[TEAM_TASK: text]', 'text'],
    ['[TEAM_TASK]\n    code', 'code'],
    ['x\n[TEAM_TASK]\n    code', 'x\n    code'],
    ['a [TEAM_TASK: text] b', 'a text b'],
    ['[TEAM_TASK] one [NEXT: max] two', 'one two'],
  ])('%j becomes %j when only the marker of a task goes', (raw, clean) => {
    expect(stripMarkers(raw, { teamTask: 'marker' })).toBe(clean);
  });

  it('removes only the kinds it was asked for', () => {
    expect(stripMarkers('[FROM: a] hi [NEXT: b]', { kinds: ['next'] })).toBe('[FROM: a] hi');
  });

  it('hands a Python function on as it came', () => {
    const code = 'def f(x):\n    if x:\n\n        return  x[0]\n\n    return None';
    expect(stripMarkers(`${code}\n\n[NEXT: max]`)).toBe(code);
    expect(stripMarkers(`Look:\n\`\`\`python\n${code}\n\`\`\`\n[NEXT: max]`)).toBe(
      `Look:\n\`\`\`python\n${code}\n\`\`\``,
    );
  });
});

describe('for any text', () => {
  it('NEXT and FROM are found where the regular expressions of the design find them', () => {
    fc.assert(
      fc.property(textFrom(plainPieces), (text) => {
        const expected = [...text.matchAll(/\[(?:NEXT:[^\]]*|FROM:[^\]]+)\]/gi)];
        expect(rangesOf(scanMarkers(text).markers)).toEqual(
          expected.map(({ index, 0: { length } }) => [index, index + length]),
        );
      }),
      RUNS,
    );
  });

  it('stripping removes the markers and nothing else but white space', () => {
    fc.assert(
      fc.property(textFrom(nastyPieces), (text) => {
        const withoutSpace = (value: string) => value.replace(/\s/g, '');
        let rest = '';
        let position = 0;
        for (const { start, end } of scanMarkers(text).markers) {
          rest += text.slice(position, start);
          position = end;
        }
        expect(withoutSpace(stripMarkers(text))).toBe(withoutSpace(rest + text.slice(position)));
      }),
      RUNS,
    );
  });

  it('lines without a marker stay byte for byte', () => {
    const line = textFrom(['a', ' ', '  ', '\t', 'é', '[', ']', '(', ':'], 8);
    const markerLine = fc.constantFrom('[NEXT: a]', '  [FROM: b] [NEXT: c]\t');
    fc.assert(
      fc.property(fc.array(fc.oneof(line, markerLine), { maxLength: 12 }), (lines) => {
        const kept = lines.filter((each) => !each.includes('NEXT'));
        const text = ['start', ...lines, 'end'].join('\n');
        const live = !/^ {0,2}\t|^ {4}/m.test(text);
        fc.pre(live);
        expect(stripMarkers(text)).toBe(['start', ...kept, 'end'].join('\n'));
      }),
      RUNS,
    );
  });

  it('fenced code survives byte for byte', () => {
    const line = textFrom(nastyPieces, 6).map((text) => text.replace(/[\r\n`]/g, ''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const block = `\`\`\`\n${lines.join('\n')}\n\`\`\``;
        expect(stripMarkers(`Look [NEXT: a]\n\n${block}\n\n[FROM: b] done`)).toBe(`Look\n\n${block}\n\ndone`);
      }),
      RUNS,
    );
  });

  it('stripping twice is stripping once where removal cannot assemble a marker', () => {
    const pieces = ['[NEXT: a]', '[FROM: b]', '[TEAM_TASK: c]', 'word', ' ', '  ', '\n', '\n\n', 'é', '.'];
    fc.assert(
      fc.property(textFrom(pieces), (text) => {
        const once = stripMarkers(`start ${text}`);
        expect(stripMarkers(once)).toBe(once);
        expect(scanMarkers(once).markers).toEqual([]);
      }),
      RUNS,
    );
  });

  it('removing what a scan has found is stripping', () => {
    const options = fc.constantFrom({}, { teamTask: 'marker' as const }, { kinds: ['next' as const] });
    fc.assert(
      fc.property(textFrom(nastyPieces, 40), options, (text, how) => {
        expect(removeMarkers(text, scanMarkers(text).markers, how)).toBe(stripMarkers(text, how));
      }),
      RUNS,
    );
  });

  it('nothing throws, lone surrogates included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          for (const value of [text, `[NEXT: ${text}]${text}`, `[TEAM_TASK]${text}`]) {
            expect(stripMarkers(value)).toBeTypeOf('string');
          }
        },
      ),
      RUNS,
    );
  });

  it('markers are reported inside the text, in order and without overlaps', () => {
    fc.assert(
      fc.property(textFrom(nastyPieces, 40), (text) => {
        const { markers, inUnclosedFence } = scanMarkers(text);
        for (const list of [markers, inUnclosedFence]) {
          let previousEnd = 0;
          for (const { start, end } of list) {
            expect(start).toBeGreaterThanOrEqual(previousEnd);
            expect(end).toBeGreaterThan(start);
            previousEnd = end;
          }
          expect(previousEnd).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: tries(20_000) },
    );
  });
});
