import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CreatedConversation, WireError } from '../../src/frontends/web/wire.js';
import { alivePids } from '../agents/process/hostileAgent.js';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';
import { startWeb, type WebProcess } from './webProcess.js';

/** Milliseconds in which it has to end. */
const MOST_TO_END = 3000;

async function createOffice(): Promise<Machine> {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  await machine.trust();
  return machine;
}

describe('huddle web', () => {
  test('prints an address with a code, serves the page there, and lets a browser in', async () => {
    const web = await startWeb(await createOffice());
    expect(web.printed()).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-z]{26}\n$/u);
    expect(web.said()).toContain('The code in it works once, for 10 minutes.');
    const page = await fetch(web.address);
    expect(page.status).toBe(200);
    const script = /src="(\/assets\/[^"]+)"/u.exec(await page.text())?.[1] ?? '';
    expect((await fetch(web.address + script)).headers.get('cache-control')).toContain('immutable');
    const { role, headers } = await web.logIn();
    expect(role).toBe('full');
    await web.until(/A browser was let in \(full\)\. 1 browser in\.\n/u);
    expect((await fetch(`${web.address}/api/openapi.json`, { headers })).status).toBe(200);
    expect((await fetch(`${web.address}/api/openapi.json`)).status).toBe(401);
  });

  test('prints a new code when one was used', async () => {
    const web = await startWeb(await createOffice());
    await web.logIn();
    await web.until(/For another browser: \S+#code=\w+\n/u);
    const [first, second] = web.codes();
    expect(second).not.toBe(first);
    expect((await web.logIn(second)).role).toBe('full');
    await web.until(/2 browsers in\./u);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s ends it within 3 seconds, with %i, also while browsers hold connections',
    async (signal, code) => {
      const web = await startWeb(await createOffice());
      await fetch(web.address);
      const began = performance.now();
      web.child.kill(signal);
      expect(await web.ended).toEqual({ code, signal: null });
      expect(performance.now() - began).toBeLessThan(MOST_TO_END);
      await expect(fetch(web.address)).rejects.toThrow();
    },
  );

  test('a signal stops running turns, also of an agent that is deaf to it, and says so in the session', async () => {
    const machine = await createOffice();
    const pidFile = join(machine.folder, 'pids');
    const web = await startWeb(machine, undefined, { HOSTILE: 'ignoreterm', HOSTILE_PIDFILE: pidFile });
    const { headers } = await web.logIn();
    const id = await sayHello(web, headers);
    await expect.poll(() => alivePids(pidFile), { timeout: 20_000 }).toHaveLength(1);
    // A browser that looks on.
    const stream = await fetch(`${web.address}/api/stream?conversation=${id}`, { headers });
    const told = stream.text();
    const began = performance.now();
    web.child.kill('SIGTERM');
    expect(await web.ended).toEqual({ code: 143, signal: null });
    expect(performance.now() - began).toBeLessThan(MOST_TO_END);
    expect(await told).toContain('event: ended\ndata: {"why":"closing"}');
    expect(alivePids(pidFile)).toEqual([]);
    const sessions = JSON.parse((await machine.run(['sessions', '--json'])).stdout);
    expect(sessions).toMatchObject([{ id, state: 'stopped', turns: 1 }]);
  });

  test('listens on the loopback alone', async () => {
    const web = await startWeb(await createOffice());
    const listening = readFileSync('/proc/net/tcp', 'latin1')
      .split('\n')
      .filter((line) =>
        line.includes(`:${web.port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`),
      );
    expect(listening.map((line) => line.trim().split(' ')[1]?.split(':')[0])).toEqual(['0100007F']);
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
    if (outer !== undefined) await expect(fetch(`http://${outer}:${web.port}`)).rejects.toThrow();
  });

  test('a port that was asked for and is taken is an error', async () => {
    const { port } = await startWeb(await createOffice());
    const { code, stdout, stderr } = await (await createOffice()).run(['web', '--port', String(port)], {
      spawned: true,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      `error[PORT_IN_USE]: Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
    );
  });

  test('takes the usual port or the next free one, and says which', async () => {
    await occupy(4747);
    const { port, said } = await startWeb(await createOffice(), []);
    expect(port).toBeGreaterThanOrEqual(4747);
    // Another program may have had the usual one, and be gone by now.
    expect(said().includes(`Port 4747 is in use; using ${port}.`)).toBe(port !== 4747);
  });

  test.each(['-1', '65536', '80.5', 'http', ''])('refuses the port %j', async (port) => {
    const { code, stderr } = await createMachine().run(['web', `--port=${port}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('It must be a port from 0 to 65535');
  });

  test('with an id prints the address of that session, which may be shortened', async () => {
    const machine = await createOffice();
    const { stdout } = await machine.run(['run', 'Hello.', '--output-format', 'json'], {
      env: { HOSTILE: 'fixed' },
    });
    const { conversationId } = JSON.parse(stdout);
    const web = await startWeb(machine, [conversationId.slice(0, -1), '--port', '0']);
    expect(web.path).toBe(`/c/${conversationId}`);
    expect(await (await fetch(web.address + web.path)).text()).toContain('<!doctype html>');
  });

  test('with an id that there is not ends with the error of the other commands', async () => {
    const { code, stdout, stderr } = await (await createOffice()).run(['web', 'nothing']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error[UNKNOWN_CONVERSATION]');
  });

  test('speaks Chinese', async () => {
    const web = await startWeb(await createOffice(), ['--port', '0', '--lang', 'zh-CN']);
    expect(web.printed()).toMatch(/^打开 http/u);
    expect(web.said()).toContain('只能用一次');
    const refused = await fetch(`${web.address}/api/session`);
    expect((await errorOf(refused)).message).toBe('这个浏览器还没有放行。');
  });
});

describe('trust', () => {
  test('is required before anything listens', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const { code, stdout, stderr } = await machine.run(['web', '--port', '0']);
    expect({ code, stdout }).toEqual({ code: 77, stdout: '' });
    expect(stderr).toContain('error[FOLDER_NOT_TRUSTED]');
  });

  test('is not needed to watch: nothing is started', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const web = await startWeb(machine, ['--watch-only', '--port', '0']);
    expect(web.printed()).toContain('(watch only)');
    const { role, headers } = await web.logIn();
    expect(role).toBe('watch');
    const invited = await fetch(`${web.address}/api/invitations`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'full' }),
    });
    expect(invited.status).toBe(403);
    expect((await errorOf(invited)).code).toBe('READ_ONLY');
  });

  test('can be given for one run', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const web = await startWeb(machine, ['--trust', '--port', '0']);
    expect(web.said()).toContain('Trusted for this run only');
  });
});

describe('without a team and without an agent', () => {
  test('it says what to install and serves the page, which has the demo', async () => {
    const web = await startWeb(createMachine());
    expect(web.said()).toContain('npm install -g @anthropic-ai/claude-code');
    expect((await fetch(web.address)).status).toBe(200);
  });
});

describe('--debug-file', () => {
  test('gets every refused request with its reason, and no code, cookie or key', async () => {
    const machine = await createOffice();
    const file = join(machine.folder, 'debug.log');
    const web = await startWeb(machine, ['--port', '0', '--debug-file', file]);
    const { headers } = await web.logIn();
    await fetch(`${web.address}/api/session`);
    await fetch(`${web.address}/api/session?code=${web.codes()[0]}`, {
      headers: { origin: 'http://evil.example' },
    });
    await web.logIn(web.codes()[0]);
    await fetch(`${web.address}/nothing/${web.codes()[1]}`, { headers });
    const log = readFileSync(file, 'utf8');
    const lines = log.split('\n').filter((line) => line.startsWith('[Web]'));
    expect(lines.map((line) => line.split(' ').slice(1, 5).join(' '))).toEqual([
      '401 NOT_LOGGED_IN GET /api/session',
      '403 WRONG_ORIGIN GET /api/session',
      '401 WRONG_CODE POST /api/login',
      '404 NOT_FOUND GET /nothing/…',
    ]);
    const secrets = [...web.codes(), headers.cookie?.split('=')[1] ?? '', headers['x-huddle-key'] ?? ''];
    expect(secrets).toHaveLength(4);
    expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // Nor does the terminal hear of a cookie or a key.
    expect(secrets.slice(2).filter((secret) => (web.said() + web.printed()).includes(secret))).toEqual([]);
  });
});

describe('an agent', () => {
  test('has neither a code nor a cookie nor a key in its environment', async () => {
    const machine = await createOffice();
    const web = await startWeb(machine, undefined, { HOSTILE: 'env:full' });
    const { headers } = await web.logIn();
    const id = await sayHello(web, headers);
    const read = async () => (await machine.run(['show', id])).stdout;
    await expect.poll(read, { timeout: 20_000 }).toContain('PATH=');
    const said = await read();
    const secrets = [...web.codes(), headers.cookie?.split('=')[1] ?? '', headers['x-huddle-key'] ?? ''];
    expect(secrets.filter((secret) => secret === '' || said.includes(secret))).toEqual([]);
  });
});

describe('--open', () => {
  test('opens the address without the code, which is in no command line and no environment', async () => {
    const machine = await createOffice();
    const opened = join(machine.folder, 'opened');
    const opener = join(machine.folder, 'bin', 'xdg-open');
    writeFileSync(
      opener,
      `#!/bin/sh\n{ echo "$@"; /usr/bin/env; } > '${opened}.part'; /bin/mv '${opened}.part' '${opened}'\n`,
    );
    chmodSync(opener, 0o755);
    const web = await startWeb(machine, ['--open', '--port', '0']);
    await web.until(/Paste this code there: \w+\n/u);
    await expect.poll(() => existsSync(opened), { timeout: 10_000 }).toBe(true);
    const text = readFileSync(opened, 'utf8');
    expect(text.split('\n')[0]).toBe(`${web.address}/`);
    expect(web.codes().filter((code) => text.includes(code))).toEqual([]);
    expect(web.said()).toContain(`Paste this code there: ${web.codes()[0]}`);
  });

  test('says so if there is no program for it', async () => {
    const web = await startWeb(await createOffice(), ['--open', '--port', '0']);
    await web.until(/No program found to open a browser\./u);
    expect((await web.logIn()).role).toBe('full');
  });
});

describe.skipIf(!hasTerminal)('in a terminal', () => {
  test('it asks for trust, and Enter prints a new code', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const terminal = openTerminal(machine, { args: ['web', '--port', '0'] });
    await terminal.until('Trust this folder? [y/N]');
    expect(terminal.shown()).not.toContain('#code=');
    terminal.type('y\n');
    await terminal.until('#code=');
    await terminal.until('Enter: new code. Ctrl-C: stop.');
    terminal.type('\n');
    await terminal.until('Open http://127.0.0.1:');
    await terminal.until('#code=');
    const began = performance.now();
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(performance.now() - began).toBeLessThan(MOST_TO_END);
  });
});

/** Begins a conversation with a message; its id. */
async function sayHello({ address }: WebProcess, browser: Readonly<Record<string, string>>): Promise<string> {
  const headers = { ...browser, 'content-type': 'application/json', 'idempotency-key': 'once' };
  const post = async (path: string, body: object) =>
    (await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { id } = (await post('/api/conversations', {})) as CreatedConversation;
  await post(`/api/conversations/${id}/messages`, { content: 'Hello.' });
  return id;
}

async function errorOf(answer: Response): Promise<WireError> {
  const { error } = (await answer.json()) as { readonly error: WireError };
  return error;
}

/** Takes a port, unless another program has it. */
async function occupy(port: number): Promise<void> {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve() : reject(error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
}
