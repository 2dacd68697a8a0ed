const PAGE = 'src/frontends/web/page';
const TESTS = 'test/frontends/web/page';

/** Texts and rows of the page. */
export const webLog = [
  {
    name: 'a text that takes too long holds the worker for ever',
    file: `${PAGE}/text/TextParser.ts`,
    find: 'this.#timer = setTimeout(() => this.#giveUp(), 0);',
    replace: 'this.#timer = undefined;',
    test: `${TESTS}/text/TextParser.test.ts`,
    title: 'gives a slow text up with its worker',
  },
  {
    name: 'a message with any number of parts is formatted',
    file: `${PAGE}/text/parseText.ts`,
    find: 'if (nodes > MOST_NODES) return undefined;',
    replace: '',
    test: `${TESTS}/text/parseText.test.ts`,
    title: 'a text with more than 3,000 parts is not formatted',
  },
  {
    name: 'a running turn and its message are two rows for the list',
    file: `${PAGE}/log/logItems.ts`,
    find: "const key = turnId ?? (block.kind === 'message' ? block.message.id : '');",
    replace: "const key = block.kind === 'message' ? block.message.id : (turnId ?? '');",
    test: `${TESTS}/log/logItems.test.ts`,
    title: 'a running turn and the message it becomes have the same key',
  },
];
