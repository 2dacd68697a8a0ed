import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '@earendil-works/pi-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { formatParagraph } from '../../../../src/frontends/lines/formatParagraph.js';
import { renderParagraph } from '../../../../src/frontends/tui/paint/renderParagraph.js';
import { createTheme } from '../../../../src/frontends/tui/paint/theme.js';
import type { ConversationFact } from '../../../../src/models/ConversationEvent.js';
import { isApart, type Paragraph } from '../../../../src/presentation/Paragraph.js';
import { tries } from '../../../tier.js';
import { change, filesTalk, recorded } from '../../../transcript/filesTalk.js';
import { completed, fact, follow, message, turnStart } from '../events.js';

const theme = createTheme(true, english);

/** The rows of a screen, blank ones where paragraphs are apart. */
function lay(paragraphs: readonly Paragraph[], width: number): string {
  return paragraphs
    .flatMap((paragraph, index) => [
      ...(isApart(paragraphs[index - 1] ?? null, paragraph) ? [''] : []),
      ...renderParagraph(paragraph, width, theme).map(stripVTControlCharacters),
    ])
    .join('\n');
}

const answer = [turnStart(), completed(), message('max', 'Done.', { turn: 'turn-1' })];
const record = (more: Parameters<typeof recorded>[0]) => fact(recorded(more) satisfies ConversationFact);

describe('files that changed', () => {
  it('stand under the answer of their turn, at 80 columns', () => {
    expect(lay(follow(filesTalk()).paragraphs, 80)).toMatchInlineSnapshot(`
      "› kim
        Fix the upload.

      ● author
        Done with part 1.
                                                                         12 s · turn-1
        ± turn-1 · 7 files +15 −1,203
          M src/upload.ts +12 −3
          A src/new.ts +2
          D src/old.ts −1,200
          M logo.png binary
          M run.sh 100644 → 100755
          … 2 more: /diff 1

        Changed between turns: README.md, b.ts, c.ts and 1 more.

      ● author
        Done with part 2.
                                                                         12 s · turn-2

      ● ada
        Done with part 3.
                                                                         12 s · turn-3
        ± turn-3 · in ada's copy · 1 file +40
          M src/deep/down/in/the/folders/of/a/project/where/nobody…/upload.test.ts +40
          Recorded late: changes by others may be among these.
          At the same time in this folder: turn-9 of 20261115-0101-beef. Those changes
          may be among these.
          git branch: main → fix
          git HEAD: 1234567 → abcdef1
          To apply: /apply 3

        ± apply-1 · kim applied turn-3 · 1 file +40
          A src/upload.test.ts +40

        ± undo-1 · kim undid turn-1, apply-1 · 2,001 files +3 −12
          M src/upload.ts +3 −12
          … 2,000 more: /diff undo-1
          Too many files changed at once to list them all. This cannot be undone."
    `);
  });

  it('fit into 40 columns, and the names of files stay', () => {
    expect(lay(follow(filesTalk()).paragraphs, 40)).toMatchInlineSnapshot(`
      "› kim
        Fix the upload.

      ● author
        Done with part 1.
                                 12 s · turn-1
        ± turn-1 · 7 files +15 −1,203
          M src/upload.ts +12 −3
          A src/new.ts +2
          D src/old.ts −1,200
          M logo.png binary
          M run.sh 100644 → 100755
          … 2 more: /diff 1

        Changed between turns: README.md,
        b.ts, c.ts and 1 more.

      ● author
        Done with part 2.
                                 12 s · turn-2

      ● ada
        Done with part 3.
                                 12 s · turn-3
        ± turn-3 · in ada's copy · 1 file +40
          M src/deep/down/…/upload.test.ts +40
          Recorded late: changes by others may
          be among these.
          At the same time in this folder:
          turn-9 of 20261115-0101-beef. Those
          changes may be among these.
          git branch: main → fix
          git HEAD: 1234567 → abcdef1
          To apply: /apply 3

        ± apply-1 · kim applied turn-3 · 1
        file +40
          A src/upload.test.ts +40

        ± undo-1 · kim undid turn-1, apply-1 ·
        2,001 files +3 −12
          M src/upload.ts +3 −12
          … 2,000 more: /diff undo-1
          Too many files changed at once to
          list them all. This cannot be
          undone."
    `);
  });

  it('are plain lines without a form', () => {
    expect(
      follow(filesTalk())
        .paragraphs.map((block) => formatParagraph(block, english))
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "kim:
        Fix the upload.
      author:
        Done with part 1.
      (12 s · turn-1)
      turn-1 · 7 files +15 −1,203
        M src/upload.ts +12 −3
        A src/new.ts +2
        D src/old.ts −1,200
        M logo.png binary
        M run.sh 100644 → 100755
        … 2 more: /diff 1
      Changed between turns: README.md, b.ts, c.ts and 1 more.
      author:
        Done with part 2.
      (12 s · turn-2)
      ada:
        Done with part 3.
      (12 s · turn-3)
      turn-3 · in ada's copy · 1 file +40
        M src/deep/down/in/the/folders/of/a/project/where/nobody/looks/upload.test.ts +40
        Recorded late: changes by others may be among these.
        At the same time in this folder: turn-9 of 20261115-0101-beef. Those changes may be among these.
        git branch: main → fix
        git HEAD: 1234567 → abcdef1
        To apply: /apply 3
      apply-1 · kim applied turn-3 · 1 file +40
        A src/upload.test.ts +40
      undo-1 · kim undid turn-1, apply-1 · 2,001 files +3 −12
        M src/upload.ts +3 −12
        … 2,000 more: /diff undo-1
        Too many files changed at once to list them all. This cannot be undone."
    `);
  });

  it('stand under the name of their member again when somebody spoke in between', () => {
    const events = [...answer, message('kailai', 'Wait.'), record({ files: [change('a.ts')] })];
    const kinds = follow(events).paragraphs.map(({ kind }) => kind);
    expect(kinds).toEqual(['heading', 'text', 'ending', 'heading', 'text', 'heading', 'files']);
  });

  it('name all members whose turns ran at the same time', () => {
    const by = { kind: 'turns', turnIds: ['turn-1', 'turn-2'] } as never;
    const second = [turnStart('turn-2', 'sarah'), completed('turn-2', 'sarah')];
    const { paragraphs } = follow([...answer, ...second, record({ by, files: [change('a.ts')] })]);
    expect(lay(paragraphs.slice(-1), 80)).toBe('  ± max, sarah · turn-1, turn-2 · 1 file\n    M a.ts');
  });

  it('are not told when nothing changed', () => {
    expect(follow([...answer, record({ files: [] })])).toEqual({ ...follow(answer) });
  });

  it('have no row that is too wide, or that a name could turn into two or into a command', () => {
    const path = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 24, max: 130 }),
        (paths, width) => {
          const files = paths.map((name) => change(name, { added: 1 }));
          const [paragraph] = follow([...answer, record({ files })]).paragraphs.slice(-1);
          if (paragraph === undefined) throw new Error('nothing is told');
          const rows = renderParagraph(paragraph, width, theme);
          expect(rows).toHaveLength(1 + paths.length);
          for (const row of rows) {
            expect(visibleWidth(row)).toBeLessThanOrEqual(width);
            expect(stripVTControlCharacters(row)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          }
          expect(formatParagraph(paragraph, english).split('\n')).toHaveLength(1 + paths.length);
        },
      ),
      { numRuns: tries(500) },
    );
  });
});
