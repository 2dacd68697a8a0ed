import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { MOST_BODY_BYTES } from '../../../src/frontends/web/checkRequest.js';
import type { Credentials } from '../../../src/frontends/web/Door.js';
import { requestTo, routes } from './routeRequests.js';
import { startServer, type TestRequest, type TestServer } from './server.js';

/** Statuses of a refusal; and never of one that comes too late. */
const REFUSALS = [400, 401, 403, 404, 405, 413, 415, 421, 431];

interface Hostile {
  /** Whether it is about requests that change something, or that look; both by default. */
  readonly only?: 'changes' | 'looks';
  readonly status?: number;
  /** The request in place of the good one. */
  make(good: GoodRequest, place: Place): TestRequest;
}

type GoodRequest = ReturnType<typeof requestTo> & { readonly as: Credentials };
interface Place {
  readonly port: number;
  readonly other: Credentials;
}

const withHeaders =
  (headers: (place: Place, good: GoodRequest) => TestRequest['headers']): Hostile['make'] =>
  (good, place) => ({ ...good, headers: { ...good.headers, ...headers(place, good) } });
const fromHost = (host: (port: number) => string): Hostile => ({
  status: 421,
  make: withHeaders(({ port }) => ({ host: host(port), origin: undefined })),
});
const fromOrigin = (origin: (port: number) => string): Hostile => ({
  status: 403,
  make: withHeaders(({ port }) => ({ origin: origin(port) })),
});
const fromSite = (site: string): Hostile => ({
  status: 403,
  make: withHeaders(() => ({ 'sec-fetch-site': site })),
});
/** Typed by a person, which the page may be and the API may not. */
const spelled = (path: (good: GoodRequest) => string): Hostile => ({
  make: (good) => ({
    ...good,
    path: path(good),
    headers: { ...good.headers, 'sec-fetch-site': 'none' },
  }),
});
const ofType = (type: string | undefined): Hostile => ({
  only: 'changes',
  status: 415,
  make: withHeaders(() => ({ 'content-type': type })),
});
const byMethod = (method: string): Hostile => ({
  make: (good) => ({ ...good, method, body: undefined, as: undefined }),
});
const known = (change: (good: GoodRequest, place: Place) => Partial<Credentials> | undefined): Hostile => ({
  status: 401,
  make: (good, place) => {
    const { cookie, key } = change(good, place) ?? {};
    const headers = {
      ...good.headers,
      cookie: cookie && `huddle-${place.port}=${cookie}`,
      'x-huddle-key': key,
    };
    return { ...good, as: undefined, headers };
  },
});

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'another host': fromHost(() => 'evil.example'),
  'another host with our port': fromHost((port) => `evil.example:${port}`),
  'a name that was made to point here': fromHost((port) => `rebind.evil.example:${port}`),
  'our address as the beginning of a name': fromHost((port) => `127.0.0.1.evil.example:${port}`),
  'our name as the beginning of a name': fromHost((port) => `localhost.evil.example:${port}`),
  'our name as the end of a name': fromHost((port) => `evil-localhost:${port}`),
  'our name with a dot': fromHost((port) => `localhost.:${port}`),
  'a user before the host': fromHost((port) => `127.0.0.1:${port}@evil.example`),
  'every address': fromHost((port) => `0.0.0.0:${port}`),
  'our address as a number': fromHost((port) => `2130706433:${port}`),
  'our address cut short': fromHost((port) => `127.1:${port}`),
  'another address of the loopback': fromHost((port) => `127.0.0.2:${port}`),
  'our address inside another kind': fromHost((port) => `[::ffff:127.0.0.1]:${port}`),
  'an address of the network': fromHost((port) => `192.168.1.5:${port}`),
  'the name of this machine': fromHost((port) => `${hostname()}.local:${port}`),
  'a port that is none': fromHost(() => '127.0.0.1:999999'),
  'two hosts in one': fromHost((port) => `127.0.0.1:${port}, evil.example`),
  'no host at all': {
    status: 421,
    make: (good) => ({ ...good, version: '1.0', headers: { ...good.headers, host: undefined } }),
  },
  'an empty host': fromHost(() => ''),
  'two hosts, the first one ours': {
    status: 400,
    make: withHeaders(({ port }) => ({ host: [`127.0.0.1:${port}`, 'evil.example'] })),
  },
  'another origin': fromOrigin(() => 'http://evil.example'),
  'no origin that has a name': fromOrigin(() => 'null'),
  'our origin over TLS': fromOrigin((port) => `https://127.0.0.1:${port}`),
  'our origin on another port': fromOrigin((port) => `http://127.0.0.1:${port + 1}`),
  'our origin by another name': fromOrigin((port) => `http://localhost:${port}`),
  'our origin as the beginning of one': fromOrigin((port) => `http://127.0.0.1:${port}.evil.example`),
  'an origin that is empty': fromOrigin(() => ''),
  'the origin of a file': fromOrigin(() => 'file://'),
  'the origin of an extension': fromOrigin(() => 'chrome-extension://abcdefghijklmnop'),
  'two origins, the first one ours': {
    status: 400,
    make: withHeaders(({ port }) => ({ origin: [`http://127.0.0.1:${port}`, 'http://evil.example'] })),
  },
  'another site': fromSite('cross-site'),
  'another port of this site': fromSite('same-site'),
  'an address that was typed': fromSite('none'),
  'a site that is none': fromSite('same-origin, cross-site'),
  'a browser that was not let in': known(() => undefined),
  'the cookie alone': known(({ as }) => ({ cookie: as.cookie })),
  'the key alone': known(({ as }) => ({ key: as.key })),
  'the cookie with the key of another': known(({ as }, { other }) => ({ cookie: as.cookie, key: other.key })),
  'the key in place of the cookie': known(({ as }) => ({ cookie: as.key, key: as.key })),
  'a cookie and a key that were never given out': known(() => ({
    cookie: 'A'.repeat(22),
    key: 'B'.repeat(22),
  })),
  'an empty cookie and an empty key': known(() => ({ cookie: '', key: '' })),
  'the cookie under the name of another port': {
    status: 401,
    make: withHeaders(({ port }, { as }) => ({ cookie: `huddle-${port + 1}=${as.cookie}` })),
  },
  'the cookie and the key in the address': {
    status: 401,
    make: ({ as, path, ...good }) => ({
      ...good,
      as: undefined,
      path: `${path}${path.includes('?') ? '&' : '?'}cookie=${as.cookie}&x-huddle-key=${as.key}`,
    }),
  },
  'the cookie and the key as a user and a password': {
    status: 401,
    make: ({ as, ...good }) => ({
      ...good,
      as: undefined,
      headers: {
        ...good.headers,
        authorization: `Basic ${Buffer.from(`${as.cookie}:${as.key}`).toString('base64')}`,
      },
    }),
  },
  'a form': ofType('application/x-www-form-urlencoded'),
  'a form with files': ofType('multipart/form-data; boundary=x'),
  'plain text': ofType('text/plain'),
  'plain text that calls itself JSON': ofType('text/plain; application/json'),
  'no type': ofType(undefined),
  'another kind of JSON': ofType('application/csp-report'),
  'a change that looks like a look': {
    only: 'changes',
    make: (good) => ({ ...good, method: 'GET', body: undefined, as: undefined }),
  },
  'a look that changes by a header': {
    only: 'changes',
    make: (good) => ({
      ...good,
      method: 'GET',
      body: undefined,
      as: undefined,
      headers: { ...good.headers, 'x-http-method-override': good.method },
    }),
  },
  'a question of a browser whether another page may': {
    status: 403,
    make: ({ headers, ...good }) => ({
      ...good,
      method: 'OPTIONS',
      body: undefined,
      headers: {
        ...headers,
        origin: 'http://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-huddle-key',
      },
    }),
  },
  'a socket for another page': {
    status: 403,
    make: ({ headers, ...good }, { port }) => ({
      ...good,
      method: 'GET',
      body: undefined,
      headers: {
        ...headers,
        origin: `http://localhost:${port + 1}`,
        connection: 'Upgrade, close',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    }),
  },
  OPTIONS: byMethod('OPTIONS'),
  PUT: byMethod('PUT'),
  PATCH: byMethod('PATCH'),
  TRACE: byMethod('TRACE'),
  HEAD: byMethod('HEAD'),
  PROPFIND: byMethod('PROPFIND'),
  'an address for a proxy': {
    make: (good) => ({ ...good, path: `http://evil.example${good.path}` }),
  },
  'our address for a proxy': {
    make: (good, { port }) => ({ ...good, path: `http://127.0.0.1:${port}${good.path}` }),
  },
  'the API by a letter in disguise': spelled(({ path }) => path.replace('/api', '/%61pi')),
  'the API by a detour': spelled(({ path }) => `/x/..${path}`),
  'the API by a detour in disguise': spelled(({ path }) => `/x/%2E%2e${path}`),
  'the API by two slashes': spelled(({ path }) => `/${path}`),
  'a way out of the folder': { make: (good) => ({ ...good, path: '/../../../../etc/passwd' }) },
  'a hidden way out of the folder': {
    make: (good) => ({ ...good, path: '/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd' }),
  },
  'a way out by the other slash': { make: (good) => ({ ...good, path: '/..\\..\\package.json' }) },
  'a way out with an end of text in it': { make: (good) => ({ ...good, path: '/index.html%00.js' }) },
  'a body that says it is too large': {
    only: 'changes',
    status: 413,
    make: withHeaders(() => ({ 'content-length': String(MOST_BODY_BYTES + 1) })),
  },
  'a body with two lengths': {
    only: 'changes',
    status: 400,
    make: withHeaders(() => ({ 'content-length': ['2', '40'] })),
  },
  'a body with a length and pieces': {
    only: 'changes',
    status: 400,
    make: withHeaders(() => ({ 'content-length': '2', 'transfer-encoding': 'chunked' })),
  },
  'headers that are too large': {
    status: 431,
    make: withHeaders(() => ({ 'x-filler': 'x'.repeat(17 * 1024) })),
  },
};

describe.each(routes)('the route %s', (name, route) => {
  const isChange = route.method !== 'GET';
  const cases = Object.entries(HOSTILE).filter(
    ([, { only }]) => only === undefined || (only === 'changes') === isChange,
  );

  it('answers a browser that was let in', async () => {
    const server = await startServer();
    const { as, good } = prepare(server);
    const { status } = await server.ask({ ...good, as });
    expect(status).toBe(name === 'login' ? 401 : (route.status ?? 200));
    expect(server.calls.map(([called]) => called)).toEqual(
      ['login', 'invite', 'describe'].includes(name) ? [] : [name],
    );
  });

  it(`refuses ${cases.length} hostile requests (R13), and nothing happens`, async () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    const server = await startServer();
    const { as, good } = prepare(server);
    const place = { port: server.port, other: server.letIn() };
    const browsers = server.door.browsers;
    for (const [title, { make, status }] of cases) {
      const before = server.refused.length;
      const answer = await server.ask(make({ ...good, as }, place));
      const seen = { title, status: answer.status, told: server.refused.length - before };
      if (status === undefined) expect(REFUSALS, JSON.stringify(seen)).toContain(answer.status);
      else expect(seen).toEqual({ title, status, told: 1 });
      expect(
        [...answer.headers.keys()].filter((header) => /^access-control|^set-cookie/u.test(header)),
      ).toEqual([]);
    }
    expect(server.calls).toEqual([]);
    expect(server.door.browsers).toBe(browsers);
  });

  function prepare(server: TestServer) {
    return { as: server.letIn(), good: requestTo(name) };
  }
});
