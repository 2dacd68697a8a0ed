import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser } from './inBrowser.js';
import { Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

/** Another server of this machine, with a page that is up to no good. */
interface OtherServer {
  readonly origin: string;
  /** The cookies that browsers sent it. */
  readonly cookies: string[];
}

describeInBrowser('the door in a browser', (browser) => {
  test('the code is gone from the address at once, and no script can read the cookie', async () => {
    const server = await WebServer.start(await createScene(), ['--port', '0']);
    const [, code = ''] = server.address.split('#code=');
    const kim = await Visitor.enter(browser, server);
    expect(kim.page.url()).toBe(`${server.origin}/`);
    expect(await kim.page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await kim.context.cookies();
    expect(cookie?.name).toBe(`huddle-${new URL(server.origin).port}`);
    const kept = await kim.page.evaluate(() => Object.values(localStorage).map(String));
    const secrets = [code, ...kept.filter((value) => /^[\w-]{22}$/u.test(value))];
    expect(secrets).toHaveLength(2);
    await kim.page.goBack().catch(() => undefined);
    expect(kim.page.url()).not.toContain('code');
    const sent = kim.requests.map((address) => address.split('#')[0] ?? '');
    expect(sent.filter((address) => secrets.some((secret) => address.includes(secret)))).toEqual([]);
  });

  test('an address that was used opens the page again in the browser it let in, and in no other', async () => {
    const server = await WebServer.start(await createScene(), ['--port', '0']);
    const used = server.address;
    const kim = await Visitor.enter(browser, server);
    const again = await Visitor.openIn(kim.context, used);
    expect(again.page.url()).toBe(`${server.origin}/`);
    const stranger = await (await browser.open()).newPage();
    await stranger.goto(used);
    await stranger.getByText(/Wrong or expired code/u).waitFor();
  });

  test('a second server on another port gets the cookie, and gets nothing for it', async () => {
    const server = await WebServer.start(await createScene(), ['--port', '0']);
    const kim = await Visitor.enter(browser, server);
    const other = await startOther();
    const tab = await kim.context.newPage();
    await tab.goto(other.origin);
    const [stolen = ''] = other.cookies;
    // Cookies ignore ports: that is why it is not enough.
    expect(stolen).toMatch(/^huddle-\d+=[\w-]{22}$/u);
    for (const path of ['/api/session', '/api/conversations', '/api/stream']) {
      const answer = await fetch(server.origin + path, { headers: { cookie: stolen } });
      expect(answer.status).toBe(401);
    }
  });

  test('a page of another port can neither read nor change anything, however it asks', async () => {
    const machine = await createScene();
    const server = await WebServer.start(machine, ['--port', '0']);
    const kim = await Visitor.enter(browser, server);
    const id = await kim.begin();
    await kim.say('@ann scene:hello');
    await kim.reads('Hello from ann.');
    const tab = await kim.context.newPage();
    await tab.goto((await startOther()).origin);
    const outcomes = await tab.evaluate(attack, { origin: server.origin, id });
    expect(outcomes).toEqual({
      'reads the list': 'TypeError',
      'reads the list without asking for the answer': 'TypeError',
      'sends a message': 'TypeError',
      'sends a message as a form does': 'TypeError',
      'deletes the session': 'TypeError',
      'shows a file as an image': 'error',
      'runs the page as a script': 'error',
      'opens a socket': 'error',
      'shows the page in a frame': 'nothing of it',
    });
    const { code, stdout } = await machine.run(['show', id]);
    expect(code).toBe(0);
    expect(stdout).toContain('Hello from **ann**.');
    expect(stdout).not.toContain('the other page');
  });

  test('an address in another page is refused, and works when it is pasted', async () => {
    const server = await WebServer.start(await createScene(), ['--port', '0']);
    const other = await startOther(`<a href="${server.address}">Huddle</a>`);
    const context = await browser.open();
    const page = await context.newPage();
    await page.goto(other.origin);
    await page.getByRole('link', { name: 'Huddle' }).click();
    await page.getByText('CROSS_SITE').waitFor();
    const kim = await Visitor.openIn(context, server.address);
    expect(kim.page.url()).toBe(`${server.origin}/`);
  });
});

/** Runs in the page of the other server. */
async function attack({ origin, id }: { readonly origin: string; readonly id: string }) {
  const credentials = 'include';
  const content = JSON.stringify({ content: 'Hello from the other page' });
  const reach = async (path: string, options: RequestInit): Promise<string> => {
    try {
      const answer = await fetch(origin + path, { credentials, ...options });
      return `${answer.type}, ${(await answer.text()) === '' ? 'empty' : 'read'}`;
    } catch (error) {
      return (error as Error).name;
    }
  };
  const load = (element: HTMLElement): Promise<string> =>
    new Promise((resolve) => {
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('error');
      document.body.append(element);
    });
  const messages = `/api/conversations/${id}/messages`;
  const json = { 'content-type': 'application/json', 'idempotency-key': 'x', 'x-huddle-key': 'x' };
  const frame = document.createElement('iframe');
  frame.src = origin;
  await load(frame);
  return {
    'reads the list': await reach('/api/conversations', {}),
    'reads the list without asking for the answer': await reach('/api/conversations', { mode: 'no-cors' }),
    'sends a message': await reach(messages, { method: 'POST', headers: json, body: content }),
    'sends a message as a form does': await reach(messages, {
      method: 'POST',
      mode: 'no-cors',
      body: content,
    }),
    'deletes the session': await reach(`/api/conversations/${id}`, { method: 'DELETE', headers: json }),
    'shows a file as an image': await load(
      Object.assign(document.createElement('img'), { src: `${origin}/` }),
    ),
    'runs the page as a script': await load(
      Object.assign(document.createElement('script'), { src: `${origin}/api/conversations` }),
    ),
    'opens a socket': await new Promise<string>((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/stream`);
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('error');
    }),
    'shows the page in a frame': frame.contentDocument === null ? 'nothing of it' : 'read',
  };
}

async function startOther(page = '<p>Nothing to see here.'): Promise<OtherServer> {
  const cookies: string[] = [];
  const server: Server = createServer(({ headers }, outgoing) => {
    if (headers.cookie !== undefined) cookies.push(headers.cookie);
    outgoing.setHeader('content-type', 'text/html').end(`<!doctype html><title>Other</title>${page}`);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { cookies, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
