import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MOST_BODY_BYTES } from '../../../src/frontends/web/checkRequest.js';
import { requestTo } from './routeRequests.js';
import { formatRequest, parseAnswer, readAll, startServer, type TestServer } from './server.js';

describe('security 6: limits', () => {
  it('headers of 16 KB are read, larger ones are not', async () => {
    const server = await startServer();
    const ask = (bytes: number) => server.ask({ headers: { 'x-filler': 'x'.repeat(bytes) } });
    expect((await ask(15 * 1024)).status).toBe(200);
    expect(await ask(16 * 1024)).toMatchObject({ status: 431, code: 'HEADERS_TOO_LARGE' });
    expect(server.refused.map(({ code }) => code)).toEqual(['HEADERS_TOO_LARGE']);
  });

  it('a body of 16 MB is read, a larger one is refused unread', async () => {
    const server = await startServer();
    const as = server.letIn();
    const wrapping = JSON.stringify({ content: '' }).length;
    const ask = (bytes: number) =>
      server.ask({ ...requestTo('send'), as, body: { content: 'x'.repeat(bytes - wrapping) } });
    expect((await ask(MOST_BODY_BYTES)).status).toBe(201);
    expect(await ask(MOST_BODY_BYTES + 1)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    expect(server.calls).toHaveLength(1);
  });

  it('who is not let in is read no further than a code is long', async () => {
    const server = await startServer();
    const ask = (bytes: number) => server.ask({ ...requestTo('login'), body: { code: 'x'.repeat(bytes) } });
    expect(await ask(100)).toMatchObject({ status: 401, code: 'WRONG_CODE' });
    expect(await ask(64 * 1024)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    // Without a cookie, nothing of a message is read.
    const headers = { 'content-length': String(MOST_BODY_BYTES), connection: 'keep-alive' };
    const socket = server.open();
    socket.write(formatRequest({ ...requestTo('send'), body: undefined, headers }, server.port));
    const [answer] = await once(socket, 'data');
    expect(parseAnswer(String(answer))).toMatchObject({ status: 401, code: 'NOT_LOGGED_IN' });
  });

  it('a body in pieces is read up to 16 MB, and no further', async () => {
    const server = await startServer();
    const as = server.letIn();
    const piece = 'x'.repeat(64 * 1024);
    const headers = { 'transfer-encoding': 'chunked', 'idempotency-key': 'k', connection: 'keep-alive' };
    const head = formatRequest({ ...requestTo('send'), as, body: undefined, headers }, server.port);
    const ask = async (pieces: number) => {
      const socket = server.open().on('error', () => undefined);
      const parts = ['{"content":"', ...Array<string>(pieces).fill(piece), '"}', ''];
      const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
      Readable.from([head, ...chunks]).pipe(socket, { end: false });
      const [answer] = await once(socket, 'data');
      return parseAnswer(String(answer));
    };
    expect((await ask(255)).status).toBe(201);
    expect(await ask(400)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    expect(server.calls).toHaveLength(1);
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'a body that is cut off (%s) changes nothing, and is no fault of ours',
    async (leave) => {
      const server = await startServer();
      const socket = server.open().on('error', () => undefined);
      const headers = { 'content-length': '100', 'idempotency-key': 'k' };
      const as = server.letIn();
      const head = formatRequest({ ...requestTo('send'), as, body: undefined, headers }, server.port);
      socket.write(`${head}{"content":`, () => socket[leave]());
      // By the route, and on some versions by Node, which was still reading it.
      const told = () => new Set(server.refused.map(({ method, code }) => `${method} ${code}`));
      await expect.poll(told).toContain('POST INVALID_REQUEST');
      expect([...told()].filter((line) => !line.endsWith(' INVALID_REQUEST'))).toEqual([]);
      expect(server.calls).toEqual([]);
      expect((await server.ask()).status).toBe(200);
    },
  );

  it('headers that take longer than 10 seconds are cut off, and others are served meanwhile', async () => {
    const server = await startServer();
    const silent = server.open();
    const halfway = server.open();
    const dripping = server.open();
    await Promise.all([silent, halfway, dripping].map((socket) => once(socket, 'connect')));
    const began = performance.now();
    halfway.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    dripping.write('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => dripping.writable && dripping.write('x'), 100);
    const ends = [silent, halfway, dripping].map((socket) => readAll(socket, ''));
    expect((await server.ask()).status).toBe(200);
    const answers = await Promise.all(ends);
    clearInterval(drip);
    expect(answers.map((answer) => parseAnswer(answer).code)).toEqual(Array(3).fill('REQUEST_TIMEOUT'));
    const seconds = (performance.now() - began) / 1000;
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(15);
  });

  it('128 connections are held at once; one more is closed, and there is room when one ends', async () => {
    const server = await startServer();
    const held: Socket[] = [];
    for (let number = 0; number < 128; number++) held.push(await openHeld(server));
    const extra = server.open();
    await once(
      extra.on('error', () => undefined),
      'close',
    );
    expect(server.refused.map(({ code }) => code)).toEqual(['TOO_MANY_CONNECTIONS']);
    const [first] = held;
    first?.end();
    await once(first?.resume() as Socket, 'close');
    expect((await server.ask()).status).toBe(200);
  });

  /** A connection that was answered once, and stays. */
  async function openHeld(server: TestServer): Promise<Socket> {
    const socket = server.open();
    socket.write(formatRequest({ headers: { connection: 'keep-alive' } }, server.port));
    await once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\n');
    return socket;
  }
});
