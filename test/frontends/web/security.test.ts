import { describe, expect, it } from 'vitest';
import { formatRefused } from '../../../src/frontends/web/runWeb.js';
import { requestTo, routes } from './routeRequests.js';
import { formatRequest, PAGE, parseAnswer, startServer, type TestServer } from './server.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types huddle";

const ADDRESSES = ['/', '/c/20261115-0212-9f3c', '/c/x/members', '/c/x/why/turn-3', '/c/x/changes/turn-3'];

describe('security 1: the door', () => {
  const login = (server: TestServer, code: string) =>
    server.ask({ method: 'POST', path: '/api/login', body: { code } });

  it('gives a cookie that no script reads and no other site sends, and a key, for a code', async () => {
    const server = await startServer();
    const answer = await login(server, server.door.invite().code);
    const cookie = answer.headers.get('set-cookie') ?? '';
    const { key, role } = JSON.parse(answer.text);
    expect({ status: answer.status, role }).toEqual({ status: 200, role: 'full' });
    expect(cookie).toMatch(
      new RegExp(`^huddle-${server.port}=[\\w-]{22}; Path=/; HttpOnly; SameSite=Strict$`, 'u'),
    );
    expect(key).toMatch(/^[\w-]{22}$/u);
    const as = { cookie: cookie.replace(/^[^=]+=|;.*$/gu, ''), key };
    expect((await server.ask({ path: '/api/session', as })).status).toBe(200);
  });

  it('takes a code once', async () => {
    const server = await startServer();
    const { code } = server.door.invite();
    expect((await login(server, code)).status).toBe(200);
    const again = await login(server, code);
    expect(again).toMatchObject({ status: 401, code: 'WRONG_CODE' });
    expect(again.headers.has('set-cookie')).toBe(false);
  });

  it('takes a code from one of two browsers that are equally quick', async () => {
    const server = await startServer();
    const { code } = server.door.invite();
    const answers = await Promise.all([login(server, code), login(server, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(server.door.browsers).toBe(1);
  });

  it('takes a code for 10 minutes', async () => {
    const clock = { at: 0 };
    const server = await startServer({ now: () => clock.at });
    const { code } = server.door.invite();
    clock.at = 10 * 60_000;
    expect(await login(server, code)).toMatchObject({ status: 401, code: 'WRONG_CODE' });
  });

  it('answers 429 after ten wrong codes in a minute, and still takes the right one', async () => {
    const server = await startServer();
    const { code } = server.door.invite();
    const statuses: number[] = [];
    for (let knock = 0; knock < 12; knock++) statuses.push((await login(server, `wrong-${knock}`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await login(server, 'wrong');
    expect(refused).toMatchObject({ code: 'TOO_MANY_WRONG_CODES' });
    expect(refused.headers.get('retry-after')).toBe(' 60'.trim());
    expect((await login(server, code)).status).toBe(200);
  });

  it('lets a second server, which gets the cookie of the first, do nothing with it', async () => {
    const [ours, other] = [await startServer(), await startServer()];
    const as = ours.letIn();
    // Cookies ignore ports: the browser sends ours along to whatever listens on this machine.
    const cookie = `huddle-${ours.port}=${as.cookie}`;
    const theft = await other.ask({ path: '/api/session', headers: { cookie, 'x-huddle-key': as.key } });
    expect(theft).toMatchObject({ status: 401, code: 'NOT_LOGGED_IN' });
    const replay = await ours.ask({ path: '/api/conversations', headers: { cookie } });
    expect(replay).toMatchObject({ status: 401, code: 'NOT_LOGGED_IN' });
    expect(ours.calls).toEqual([]);
  });

  it('forgets everyone with the process', async () => {
    const as = (await startServer()).letIn();
    const later = await startServer();
    const headers = { cookie: `huddle-${later.port}=${as.cookie}`, 'x-huddle-key': as.key };
    expect((await later.ask({ path: '/api/session', headers })).status).toBe(401);
  });

  it('refuses a code that is none without a trace of it', async () => {
    const server = await startServer();
    for (const body of [{}, { code: 7 }, { code: 'x'.repeat(201) }, { code: 'x', as: 'kim' }, [], null])
      expect(await server.ask({ method: 'POST', path: '/api/login', body })).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
      });
  });
});

describe('security 2: every request', () => {
  it.each([
    ['127.0.0.1', 4747],
    ['localhost', 9000],
    ['[::1]', 80],
  ])('may name us %s with any port, for tunnels', async (name, port) => {
    const server = await startServer();
    const host = `${name}:${port}`;
    const login = { method: 'POST', path: '/api/login', body: { code: server.door.invite().code } };
    const { status } = await server.ask({ ...login, headers: { host, origin: `http://${host}` } });
    expect(status).toBe(200);
  });

  it.each(ADDRESSES)('may be typed for the page at %s, and comes from no other site', async (path) => {
    const server = await startServer();
    const from = async (site: string | undefined) =>
      (await server.ask({ path, headers: { 'sec-fetch-site': site } })).status;
    expect(
      await Promise.all(['none', 'same-origin', undefined, 'same-site', 'cross-site'].map(from)),
    ).toEqual([200, 200, 200, 403, 403]);
  });

  it('for the page is as strict about host and origin as one for the API', async () => {
    const server = await startServer();
    const host = `evil.example:${server.port}`;
    expect((await server.ask({ headers: { host } })).code).toBe('WRONG_HOST');
    expect((await server.ask({ headers: { origin: 'null' } })).code).toBe('WRONG_ORIGIN');
    expect((await server.ask({ method: 'POST' })).code).toBe('METHOD_NOT_ALLOWED');
  });

  it('is refused before its body is read', async () => {
    const server = await startServer();
    const as = server.letIn();
    const headers = { 'content-length': '1000000', origin: 'http://evil.example' };
    const request = formatRequest({ ...requestTo('send'), as, body: undefined, headers }, server.port);
    const socket = server.open();
    // Nothing of the body is ever sent.
    const answer = await new Promise<string>((resolve) => {
      socket.setEncoding('latin1').once('data', resolve);
      socket.write(request);
    });
    expect(parseAnswer(answer)).toMatchObject({ status: 403, code: 'WRONG_ORIGIN' });
  });

  it('that asks first whether to send its body is told so only when it may', async () => {
    const server = await startServer();
    const as = server.letIn();
    const headers = { expect: '100-continue', 'idempotency-key': 'k' };
    const good = await server.send(formatRequest({ ...requestTo('send'), as, headers }, server.port));
    expect(good).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /u);
    const hostile = { ...headers, host: 'evil.example' };
    const refused = await server.send(
      formatRequest({ ...requestTo('send'), as, headers: hostile }, server.port),
    );
    expect(refused).toMatch(/^HTTP\/1\.1 421 /u);
    expect(server.calls).toHaveLength(1);
  });

  it('says what is wrong by its paths, and nothing of the values', async () => {
    const server = await startServer();
    const as = server.letIn();
    const ask = (path: string, body?: unknown) =>
      server.ask({ ...requestTo('send'), as, path, body, ...(body === undefined && { method: 'GET' }) });
    const decide = await ask('/api/conversations/x/decisions', { verdict: 'secret', more: 1 });
    expect(decide).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(decide.text).toContain('(body.requestId, body.verdict, body.more)');
    expect(decide.text).not.toContain('secret');
    const twice = await ask('/api/conversations?text=a&text=b&more=1');
    expect(twice.text).toContain('(query.text, query.more)');
    const proto = await ask('/api/session?__proto__=x');
    expect(proto.text).toContain('(query.__proto__)');
    const headers = { 'idempotency-key': undefined };
    expect((await server.ask({ ...requestTo('send'), as, headers })).text).toContain('(idempotency-key)');
    expect(server.calls).toEqual([]);
  });

  it.each(['', '{', '"', '\u0000', '[1,', '{"content":"x"}x', '\u00ff\u00fe{}'])(
    'with the body %j is no JSON',
    async (text) => {
      const server = await startServer();
      const headers = { 'content-length': String(text.length), 'idempotency-key': 'k' };
      const head = formatRequest(
        { ...requestTo('send'), as: server.letIn(), body: undefined, headers },
        server.port,
      );
      const answer = parseAnswer(await server.send(Buffer.from(head + text, 'latin1')));
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
      expect(answer.text).toContain('(body)');
    },
  );

  it('by another method is told those that there are', async () => {
    const server = await startServer();
    const answer = await server.ask({ method: 'DELETE', path: '/api/conversations', as: server.letIn() });
    expect(answer).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(answer.headers.get('allow')).toBe('GET, POST');
  });

  it('for what is not there is told so, but only who is in learns it of the API', async () => {
    const server = await startServer();
    const path = '/api/nothing';
    expect(await server.ask({ path })).toMatchObject({ status: 401 });
    expect(await server.ask({ path, as: server.letIn() })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await server.ask({ path: '/nothing' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('for an address that a person mistyped leads to the page; nothing of the API does', async () => {
    const server = await startServer();
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const answer = await server.ask({ path: '/sessions', headers });
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 302, to: '/' });
    expect(await server.ask({ path: '/api/nothing', headers })).toMatchObject({ status: 401 });
  });
});

describe('security 3: roles', () => {
  it.each(routes.filter(([, { role }]) => role !== 'nobody'))(
    'watch may use %s if it changes nothing',
    async (name, { role, status = 200 }) => {
      const server = await startServer();
      const answer = await server.ask({ ...requestTo(name), as: server.letIn('watch') });
      if (role === 'watch') expect(answer.status).toBe(status);
      else expect(answer).toMatchObject({ status: 403, code: 'READ_ONLY' });
      expect(server.calls).toHaveLength(role === 'watch' && name !== 'describe' ? 1 : 0);
    },
  );

  it('every change is for full, and every look for watch', () => {
    const roles = routes.map(([name, { method, role }]) => [name, method === 'GET' ? 'watch' : 'full', role]);
    expect(roles.filter(([, expected, role]) => expected !== role)).toEqual([['login', 'full', 'nobody']]);
  });

  it('an invitation is of the role that was asked for', async () => {
    const server = await startServer();
    const invite = { ...requestTo('invite'), as: server.letIn() };
    const { path, role } = JSON.parse((await server.ask(invite)).text);
    expect({ path, role }).toEqual({ path: expect.stringMatching(/^\/#code=[0-9a-z]{26}$/u), role: 'watch' });
    const [, code] = path.split('=');
    const login = await server.ask({ method: 'POST', path: '/api/login', body: { code } });
    expect(JSON.parse(login.text)).toMatchObject({ role: 'watch' });
  });

  it('--watch-only lets in no one who may do more', async () => {
    const server = await startServer({ isWatchOnly: true });
    const as = server.letIn('full');
    expect((await server.ask({ ...requestTo('send'), as })).code).toBe('READ_ONLY');
    expect((await server.ask({ ...requestTo('list'), as })).status).toBe(200);
  });
});

describe('security 4: headers', () => {
  const expected = {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
  const securityOf = (headers: Headers) =>
    Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));

  it.each([...ADDRESSES, '/index.html', '/nothing', '/api/session', '/api/nothing', '/api/login'])(
    'are there for %s, whoever asks',
    async (path) => {
      const server = await startServer();
      for (const as of [undefined, server.letIn()]) {
        const { headers } = await server.ask({ path, as });
        expect(securityOf(headers)).toEqual(expected);
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );

  it.each(routes.map(([name]) => name))('are there for the answer of %s', async (name) => {
    const server = await startServer();
    const { headers } = await server.ask({ ...requestTo(name), as: server.letIn() });
    expect(securityOf(headers)).toEqual(expected);
  });

  it('are there for a request that cannot be read', async () => {
    const { headers, status, code } = parseAnswer(
      await (await startServer()).send('Hello, is this HTTP?\r\n\r\n'),
    );
    expect({ status, code, ...securityOf(headers) }).toEqual({
      status: 400,
      code: 'INVALID_REQUEST',
      ...expected,
    });
  });

  it('let browsers keep files whose names change with their content, and nothing else', async () => {
    const server = await startServer();
    const { headers, status, text } = await server.ask({ path: '/assets/index-3f9a.js' });
    expect({ status, text }).toEqual({ status: 200, text: 'console.log(1);' });
    expect(securityOf(headers)).toEqual({
      ...expected,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('make an export a file to save, whatever its name is', async () => {
    const fileName = 'a "b"\r\nx: y; 会话.html';
    const server = await startServer({
      handlers: { export: async () => ({ type: 'text/html', text: '<script>', fileName }) },
    });
    const { headers, status } = await server.ask({ ...requestTo('export'), as: server.letIn() });
    expect(status).toBe(200);
    expect(headers.has('x')).toBe(false);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="a-b-x-y-.html"; filename*=UTF-8''a%20%22b%22%0D%0Ax%3A%20y%3B%20%E4%BC%9A%E8%AF%9D.html`,
    );
  });
});

describe('security 7: files', () => {
  it.each(ADDRESSES)('the page is at %s', async (path) => {
    const { text, headers } = await (await startServer()).ask({ path });
    expect({ text, type: headers.get('content-type') }).toEqual({
      text: PAGE,
      type: 'text/html; charset=utf-8',
    });
  });

  it.each([
    '/LICENCES.txt',
    '/assets',
    '/assets/',
    '/..%2f..%2fpackage.json',
    '//etc/passwd',
    '/etc/passwd',
    '/assets/index-3f9a.js/',
    '/assets/index-3f9a.js%00',
    '/assets/index-3f9a%2ejs',
    '/constructor',
    '/__proto__',
    '/c',
    '/c//x',
    '/c/a/b/c/d/e',
  ])('nothing is at %s: only the table of built files is looked at', async (path) => {
    const { status, text } = await (await startServer()).ask({ path });
    expect({ status, isError: text.startsWith('{"error":') }).toEqual({ status: 404, isError: true });
  });

  it.each(['/assets/../index.html', '/assets/%2e%2e/%2e%2e/package.json', '/a/./b', '/a b', '/\u00e9', '*'])(
    'a path that is read otherwise than it is written is refused: %s',
    async (path) => {
      const { status, code } = await (await startServer()).ask({ path });
      expect({ status, code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    },
  );

  it('HEAD of the page has no body', async () => {
    const { status, text } = await (await startServer()).ask({ method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });

  it('secrets of the door are in no line about a refused request', async () => {
    const server = await startServer();
    const { cookie, key } = server.letIn();
    const { code } = server.door.invite();
    const secrets = [cookie, key, code, encodeURIComponent(`#code=${code}`)];
    for (const secret of secrets) {
      const spelled = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      for (const path of [`/api/${secret}`, `/?code=${secret}`, `/c/${secret}/a/b/c/d`, `/api/${spelled}`])
        await server.ask({
          path,
          headers: { cookie: `huddle-${server.port}=${secret}`, 'x-huddle-key': secret },
        });
      await server.ask({ headers: { host: `${secret}.example`, origin: `http://${secret}` } });
      await server.ask({ headers: { origin: `http://${secret}` } });
      await server.ask({ method: 'POST', path: '/api/login', body: { code: `${secret}x` } });
    }
    const lines = server.refused.map(formatRefused);
    expect(lines.length).toBeGreaterThan(20);
    expect(
      lines.filter((line) => secrets.some((secret) => decodeURIComponent(line).includes(secret))),
    ).toEqual([]);
    expect(lines).toContain(
      `[Web] 401 WRONG_CODE POST /api/login host=127.0.0.1:${server.port} origin=http://127.0.0.1:${server.port}`,
    );
  });

  it('a line about a refused request is one line, and short', () => {
    const facts = {
      status: 421,
      code: 'WRONG_HOST',
      method: 'GET',
      path: `/${'a b/'.repeat(1000)}\n\u001b[2J`,
    };
    const line = formatRefused({ ...facts, host: '\u202eevil' });
    expect(line).not.toMatch(/[\n\u001b\u202e]/u);
    expect(line.length).toBeLessThan(300);
  });
});
