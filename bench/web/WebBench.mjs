// A server with a long and a short session, and the ways to it: a browser that is let in, and plain requests.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLongLog } from '../../test/frontends/web/browser/scenery/longLog.mjs';
import { bareEnvironment } from '../measure.mjs';

export const program = fileURLToPath(new URL('../../dist/cli/huddle.js', import.meta.url));
const agent = fileURLToPath(
  new URL('../../test/frontends/web/browser/scenery/sceneAgent.mjs', import.meta.url),
);
const probe = fileURLToPath(new URL('heapProbe.cjs', import.meta.url));
const ADDRESS = /http:\/\/\S+#code=\S+/gu;
const TICKS_A_SECOND = 100;

export class WebBench {
  #said = '';

  static async start() {
    const bench = new WebBench();
    bench.folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
    bench.project = join(bench.folder, 'project');
    mkdirSync(bench.project);
    bench.options = {
      cwd: bench.project,
      env: { ...bareEnvironment, HOME: bench.folder, HUDDLE_HOME: join(bench.folder, 'home') },
    };
    const command = [process.execPath, agent, 'ann', 'ann'];
    const members = [
      { name: 'kim', type: 'human' },
      { name: 'ann', type: 'ai', agentType: 'acp', command },
    ];
    writeFileSync(join(bench.project, 'huddle.jsonc'), JSON.stringify({ version: 1, members }));
    bench.huddle('trust', '--yes');
    bench.sessions = new Map();
    for (const messages of [100, 7000, 10_000]) bench.sessions.set(messages, bench.#import(messages));
    await bench.#listen();
    return bench;
  }

  huddle(...args) {
    return execFileSync(process.execPath, [program, ...args], {
      ...this.options,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
  }

  #import(messages) {
    const file = join(this.folder, `${messages}.jsonl`);
    const id = `20261101-0000-${String(messages).slice(0, 4).padStart(4, '0')}`;
    writeFileSync(file, [...writeLongLog(messages)].join('').replace('20261101-0000-1234', id));
    this.huddle('import', file);
    return id;
  }

  async #listen() {
    this.server = spawn(
      process.execPath,
      ['--expose-gc', '--require', probe, program, 'web', '--port', '0'],
      { ...this.options, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] },
    );
    this.server.stdout.on('data', (chunk) => {
      this.#said += chunk;
    });
    while (!this.#said.match(ADDRESS)) await once(this.server.stdout, 'data');
    this.origin = new URL(this.address).origin;
  }

  /** Megabytes that the server has in use, after a collection. */
  async heap() {
    this.server.send('heap');
    const [bytes] = await once(this.server, 'message');
    return bytes / 1024 ** 2;
  }

  get address() {
    return this.#said.match(ADDRESS).at(-1);
  }

  /** A new address is printed when the last one was used. */
  async #freshAddress(work) {
    const used = this.address;
    const result = await work(used);
    while (this.address === used) await once(this.server.stdout, 'data');
    return result;
  }

  /** A browser that is let in, with one page. */
  async visit(browser, viewport = { width: 1280, height: 800 }) {
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const page = await context.newPage();
    await this.#freshAddress(async (address) => {
      await page.goto(address);
      await page.locator('.connection.on').first().waitFor({ state: 'attached' });
    });
    return { context, page };
  }

  /** The headers of a program that is let in. */
  logIn() {
    return this.#freshAddress(async (address) => {
      const code = address.split('#code=')[1];
      const response = await fetch(`${this.origin}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: this.origin },
        body: JSON.stringify({ code }),
      });
      const { key } = await response.json();
      return {
        'x-huddle-key': key,
        cookie: response.headers.get('set-cookie').split(';')[0],
        origin: this.origin,
      };
    });
  }

  /** CPU milliseconds of the server so far. */
  cpu() {
    const fields = readFileSync(`/proc/${this.server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
  }

  /** Megabytes of memory of the server. */
  memory() {
    const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${this.server.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  async stop() {
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
