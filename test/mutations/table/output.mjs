const SANITIZE_TEST = 'test/utils/sanitize.test.ts';

/** What other people's text can do to a screen or a page. */
export const output = [
  {
    name: 'C1 control characters pass',
    file: 'src/utils/unsafeCharacters.ts',
    find: '[0x7f, 0x9f],',
    replace: '[0x7f, 0x7f],',
    test: SANITIZE_TEST,
    title: 'shows a C1 sequence',
  },
  {
    name: 'bidirectional isolates pass',
    file: 'src/utils/unsafeCharacters.ts',
    find: '[0x2060, 0x206f],',
    replace: '[0x2060, 0x2065],',
    test: SANITIZE_TEST,
    title: 'lets no control byte and no bidirectional control through',
  },
  {
    name: 'answers are printed as they are',
    file: 'src/frontends/print/LineWriter.ts',
    find: 'this.#writeSafe(this.#pieces.take(text));',
    replace: 'this.#writeSafe(text);',
    test: 'test/cli/run.test.ts',
    title: 'what an agent says cannot reach the terminal as control characters',
    built: true,
  },
  {
    name: 'notes are printed as they are',
    file: 'src/frontends/print/LineWriter.ts',
    find: 'hang(sanitizeToOneLine(line), stderr)',
    replace: 'hang(line, stderr)',
    test: 'test/frontends/print/textPrinter.test.ts',
    title: 'what an agent does is one line each, beside the transcript',
  },
  {
    name: 'the terminal shows blocks as they are',
    file: 'src/markdown/readInlines.ts',
    find: "[{ kind: 'text', text: sanitizeForTerminal(token.content) }]",
    replace: "[{ kind: 'text', text: token.content }]",
    test: 'test/frontends/tui/paint/renderParagraph.test.ts',
    title: 'shows escape sequences instead of obeying them, wherever they come from',
  },
  {
    name: 'quotes in HTML are not escaped',
    file: 'src/transcript/htmlTemplate.ts',
    find: `/[&<>"']/g`,
    replace: '/[&<>]/g',
    test: 'test/transcript/htmlAttributes.test.ts',
    title: 'no text of a conversation leaves the attribute of HTML that it stands in',
  },
  {
    name: 'a page of HTML may load what it likes',
    file: 'src/transcript/html.ts',
    find: "default-src 'none'; ",
    replace: '',
    test: 'test/transcript/formats.test.ts',
    title: 'holds every text escaped, and no script, handler or outside reference',
  },
];
