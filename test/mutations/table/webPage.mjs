const PAGE = 'src/frontends/web/page';
const TESTS = 'test/frontends/web/page';

/** The browser's program of `huddle web`. */
export const webPage = [
  {
    name: 'an event that comes again after a cut is told twice',
    file: `${PAGE}/state/OpenConversation.ts`,
    find: 'if (event.seq <= this.#seq) continue;',
    replace: 'if (event.seq < 0) continue;',
    test: `${TESTS}/openConversation.test.ts`,
    title: 'an event that comes twice is told once',
  },
  {
    name: 'text of a running turn is added to what is there, wherever it belongs',
    file: `${PAGE}/state/OpenConversation.ts`,
    find: 'known.value = known.value.slice(0, at) + text;',
    replace: 'known.value = known.value + text;',
    test: `${TESTS}/openConversation.test.ts`,
    title: 'goes on from the offset it is told, and is never doubled',
  },
  {
    name: 'a message that may have arrived is sent again under another key',
    file: `${PAGE}/sendMessage.ts`,
    find: 'unsure?.message === message ? unsure.key : crypto.randomUUID()',
    replace: 'crypto.randomUUID()',
    test: `${TESTS}/sendMessage.test.ts`,
    title: 'sent by hand after it failed, the same text has the same key: it is not said twice',
  },
  {
    name: 'a connection without a sign of life is kept',
    file: `${PAGE}/follow.ts`,
    find: 'if (Date.now() - this.#heardAt > this.#patience) this.#attempt.abort();',
    replace: 'if (this.#isStopped) this.#attempt.abort();',
    test: `${TESTS}/follow.test.ts`,
    title: 'a connection without a sign of life is given up',
  },
  {
    name: 'a request of which only the beginning is known can be allowed',
    file: `${PAGE}/state/requestsOf.ts`,
    find: 'return kind !== undefined;',
    replace: "return kind !== '';",
    test: `${TESTS}/requests.test.ts`,
    title: 'a request whose details were not recorded is not whole',
  },
];
