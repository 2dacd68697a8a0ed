import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveStorage } from './browserStorage.js';

const { fetch: fetchAnywhere } = globalThis;
const closing: (() => void)[] = [];

beforeEach(() => {
  giveStorage().setItem('huddle-key', 'secret');
  vi.resetModules();
});

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test('a message is sent with the key of the browser, and a key of its own', async () => {
  const requests = await serve((response) => answer(response, 201));
  const { sendMessage } = await import('../../../../src/frontends/web/page/typedText.js');
  await sendMessage({ sessionId: 'a/b', content: 'Hello', as: 'kim' });
  expect(requests).toEqual([
    {
      path: 'POST /api/conversations/a%2Fb/messages',
      type: 'application/json',
      key: 'secret',
      once: expect.stringMatching(/^[\w-]{20,}$/u),
      body: { content: 'Hello', as: 'kim' },
    },
  ]);
});

test('after a lost connection it is sent again with the same key', async () => {
  const requests = await serve((response, count) => (count < 3 ? response.destroy() : answer(response, 201)));
  const { sendMessage } = await import('../../../../src/frontends/web/page/typedText.js');
  await sendMessage({ sessionId: 'one', content: 'Hello' }, noWait);
  expect(requests.length).toBe(3);
  expect(new Set(requests.map(({ once }) => once)).size).toBe(1);
});

test('sent by hand after it failed, the same text has the same key: it is not said twice', async () => {
  let isDown = true;
  const requests = await serve((response) => (isDown ? response.destroy() : answer(response, 201)));
  const { sendMessage } = await import('../../../../src/frontends/web/page/typedText.js');
  const message = { sessionId: 'one', content: 'Hello' };
  await expect(sendMessage(message, noWait)).rejects.toMatchObject({ code: 'NOT_REACHED' });
  isDown = false;
  await sendMessage(message, noWait);
  await sendMessage(message, noWait);
  const keys = requests.map(({ once }) => once);
  expect(keys.at(-2)).toBe(keys[0]);
  expect(keys.at(-1)).not.toBe(keys[0]);
});

test('a refusal is not tried again, and says what the server said', async () => {
  const requests = await serve((response) =>
    answer(response, 409, {
      error: { code: 'CONVERSATION_LOCKED', message: 'Open in process 4711.', hint: 'Close it.' },
    }),
  );
  const { sendMessage } = await import('../../../../src/frontends/web/page/typedText.js');
  const { explainRefusal } = await import('../../../../src/frontends/web/page/state/alerts.js');
  const refusal = await sendMessage({ sessionId: 'one', content: 'Hello' }, noWait).catch(
    (error: unknown) => error,
  );
  expect(explainRefusal(refusal)).toBe('Open in process 4711. Close it.');
  expect(requests.length).toBe(1);
});

test('a server that knows this browser no longer locks the page', async () => {
  await serve((response) => answer(response, 401, { error: { code: 'NOT_LOGGED_IN', message: 'No.' } }));
  const { sendMessage } = await import('../../../../src/frontends/web/page/typedText.js');
  const { isLockedOut } = await import('../../../../src/frontends/web/page/api.js');
  await expect(sendMessage({ sessionId: 'one', content: 'Hello' }, noWait)).rejects.toThrow();
  expect(isLockedOut.value).toBe(true);
});

interface SeenRequest {
  readonly path: string;
  readonly type: string | undefined;
  readonly key: unknown;
  readonly once: unknown;
  readonly body: unknown;
}

/** A server under the page's own address. */
async function serve(respond: (response: ServerResponse, count: number) => void): Promise<SeenRequest[]> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    requests.push(await see(request));
    respond(response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    fetchAnywhere(`http://127.0.0.1:${port}${path}`, init),
  );
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return requests;
}

async function see(request: IncomingMessage): Promise<SeenRequest> {
  const { method, url, headers } = request;
  let body = '';
  for await (const chunk of request) body += chunk;
  return {
    path: `${method} ${url}`,
    type: headers['content-type'],
    key: headers['x-huddle-key'],
    once: headers['idempotency-key'],
    body: JSON.parse(body),
  };
}

function answer(response: ServerResponse, status: number, body: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function noWait(): Promise<void> {}
