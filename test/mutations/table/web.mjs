const SECURITY = 'test/frontends/web/security.test.ts';
const HOSTILE = 'test/frontends/web/hostileRequests.test.ts';
const DOOR = 'test/frontends/web/Door.test.ts';

/** Who gets into the server of the page, and from where. */
export const web = [
  {
    name: 'a page that was made to point at this machine reaches the server',
    file: 'src/frontends/web/checkRequest.ts',
    find: "if (!OWN_HOST.test(host)) return 'WRONG_HOST';",
    replace: '',
    test: HOSTILE,
    title: 'the route list refuses',
  },
  {
    name: 'a page of another origin changes something',
    file: 'src/frontends/web/checkRequest.ts',
    find: 'if (origin !== undefined && origin !==',
    replace: "if (origin === 'null' && origin !==",
    test: HOSTILE,
    title: 'the route send refuses',
  },
  {
    name: 'the API is reached by another spelling of its path',
    file: 'src/frontends/web/createApp.ts',
    find: 'new Hono<WebEnvironment>({ getPath: readPath })',
    replace: 'new Hono<WebEnvironment>()',
    test: HOSTILE,
    title: 'the route list refuses',
  },
  {
    name: 'the cookie alone is enough, which every other server of this machine is sent',
    file: 'src/frontends/web/Door.ts',
    find: 'return hasCookie && hasKey;',
    replace: 'return hasCookie || hasKey;',
    test: DOOR,
    title: 'is known by both halves of what it got, and by nothing less',
  },
  {
    name: 'a code lets a second browser in',
    file: 'src/frontends/web/Door.ts',
    find: 'this.#codes = live.filter((each) => each !== code);',
    replace: '',
    test: SECURITY,
    title: 'takes a code once',
  },
  {
    name: 'wrong codes keep the right one out',
    file: 'src/frontends/web/Door.ts',
    find: 'if (code === undefined) return { kind: this.#countWrong() };',
    replace:
      "const counted = this.#countWrong();\n    if (code === undefined || counted === 'too-many') return { kind: counted };",
    test: DOOR,
    title: 'never keep the right one out',
  },
  {
    name: 'a browser that may only watch sends messages',
    file: 'src/frontends/web/createApp.ts',
    find: "if (role === 'full' && browser.role !== 'full') throw createRefusal('READ_ONLY');",
    replace: '',
    test: SECURITY,
    title: 'watch may use send if it changes nothing',
  },
  {
    name: '--watch-only lets in browsers that may do everything',
    file: 'src/frontends/web/Door.ts',
    find: "const role = this.#isWatchOnly ? 'watch' : wanted;",
    replace: 'const role = wanted;',
    test: SECURITY,
    title: '--watch-only lets in no one who may do more',
  },
  {
    name: 'a code stands in the debug log',
    file: 'src/frontends/web/runWeb.ts',
    find: "text.replaceAll(MAYBE_SECRET, '…')",
    replace: 'text',
    test: SECURITY,
    title: 'secrets of the door are in no line about a refused request',
  },
  {
    name: 'a body in pieces fills the memory',
    file: 'src/frontends/web/parseCall.ts',
    find: 'if (size <= mostBytes) chunks.push(chunk);',
    replace: 'if (size > 0) chunks.push(chunk);',
    test: 'test/frontends/web/limits.test.ts',
    title: 'a body in pieces is read up to 16 MB, and no further',
  },
  {
    name: 'the server can be reached from other machines',
    file: 'src/frontends/web/listen.ts',
    find: "const ADDRESS = '127.0.0.1';",
    replace: "const ADDRESS = '0.0.0.0';",
    test: 'test/frontends/web/listen.test.ts',
    title: 'a port is on the loopback alone',
  },
];
