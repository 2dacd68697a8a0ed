import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId } from '../../src/models/ids.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import { formatMarkdown } from '../../src/transcript/markdown.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { isFull } from '../soak/isFull.js';
import { message, start } from '../store/facts.js';
import { tries } from '../tier.js';

interface Token {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
}
interface Marked {
  lexer(markdown: string): Token[] & { readonly links: object };
  walkTokens(tokens: readonly Token[], look: (token: Token) => void): void;
}
/** The parser that the terminal program shows Markdown with. */
const marked: Marked = createRequire(import.meta.resolve('@earendil-works/pi-tui'))('marked').marked;

const runs = isFull ? 50_000 : tries(2000);
const OURS = /^<\/?(?:sub|code)>$/u;

/** What a reader of the page sees of its own: headings at the top, and whatever is more than text. */
async function readPage(facts: readonly RecordedEvent[]) {
  const markdown = formatMarkdown(await createTranscript(facts));
  const tokens = marked.lexer(markdown);
  const foreign = Object.keys(tokens.links);
  marked.walkTokens(tokens, ({ type, raw }) => {
    if (type === 'html' && !OURS.test(raw.trim())) foreign.push(raw);
  });
  const headings = tokens.filter(({ type }) => type === 'heading').map(({ text }) => text?.split(' · ')[0]);
  return { markdown, headings, foreign };
}

const said = (content: string): RecordedEvent[] =>
  numberFacts([start(), message(1, content), message(2, 'Mine.')], 0, 1);
const honest = (await readPage(said('Hello.'))).headings;

describe('in Markdown an answer', () => {
  test.each([
    ['a heading like ours', 'Yes.\n\n## kim → bob · 2026-11-15 02:12:09 UTC\n\nDeploy it.'],
    ['a heading that is underlined', 'Yes.\n\nkim → bob\n---\n\nDeploy it.'],
    ['a comment that is never closed', 'Yes. <!-- and so on'],
    ['a comment on a line of its own', 'Yes.\n\n<!--\n\nand so on'],
    ['tags that hide', '<details><summary>x</summary>\n\n<textarea>\n\n<style>'],
    ['a definition of a link', '[Mine.]: https://evil.example "x"\n\n[^1]: foot'],
    ['code that is never closed', '```\nYes.\n\n~~~\n'],
    ['code that only seems to be open', 'text\n      ```\n<details>\n      ```\n'],
    ['a tag after a backtick that pairs with another line', 'one ` two\n`<details>` three'],
    ['a tag in code in a table', '| a |\n|---|\n| `a | b` `<details>` |'],
    ['characters by their numbers', '&#x202e;evil &lt;b&gt; &#60;details&#62;'],
    ['escapes', '\\<details> \\\\<details> \\`<b>` \\\\`<i>`'],
    ['line ends of other kinds', 'Yes.\r## kim\r\n\r\n## kim\u2028## kim\u000b## kim'],
  ])('cannot be more than its own text: %s', async (_title, content) => {
    const { headings, foreign } = await readPage(said(content));
    expect({ headings, foreign }).toEqual({ headings: honest, foreign: [] });
  });

  test('cannot be more than its own text, whatever it is made of', async () => {
    const piece = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '<!--',
        '-->',
        '<details>',
        '</b>',
        '<?x',
        '<b',
        '>',
        '&#60;',
        '&lt;',
        '|',
        '\\',
      ],
      ...[
        '\n',
        '\n\n',
        '    ',
        '  ',
        '> ',
        '- ',
        '1. ',
        '# ',
        '## kim',
        '---',
        '===',
        '[a]: /b',
        '[a]:',
        '"',
        '\r',
        '*',
      ],
      ...['kim', 'a', ' ', '|---|', '| a |\n|---|\n', '\t', '$$', '::', '\u202e'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 24 }), async (pieces) => {
        const { headings, foreign } = await readPage(said(pieces.join('')));
        expect({ headings, foreign }).toEqual({ headings: honest, foreign: [] });
      }),
      { numRuns: runs },
    );
  });

  test('reads as it was said', async () => {
    const content =
      'Use `Array<string>` | `a | b`, **now**:\n\n1. one\n   ```ts\n   const a: Set<string> = b && c;\n   ```\n2. R&D, a < b, ~~no~~';
    expect((await readPage(said(content))).markdown).toContain(
      [
        '> Use <code>Array\\<string\\></code> | `a | b`, **now**:',
        '>',
        '> 1. one',
        '>',
        '> ```ts',
        '> const a: Set<string> = b && c;',
        '> ```',
        '>',
        '> 2. R&D, a < b, ~~no~~',
      ].join('\n'),
    );
  });
});

test('names, notices and tools of an import are text in Markdown too', async () => {
  const evil = 'x\n\n## kim · <!-- `a` | *b* [c]: d';
  const facts = numberFacts(
    [
      start(),
      message(1, 'Hello.', 'max'),
      {
        type: 'notice',
        code: 'claimed-from',
        messageId: 'msg-1' as MessageId,
        memberId: 'max' as MemberId,
        claimed: evil,
      },
    ],
    0,
    1,
  );
  const { headings, foreign } = await readPage(
    JSON.parse(JSON.stringify(facts).replaceAll('"max"', JSON.stringify(evil))),
  );
  expect(headings).toHaveLength(honest.length - 1);
  expect(foreign).toEqual([]);
});
