import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { LoggedIn } from '../../src/frontends/web/wire.js';
import type { Machine } from './runHuddle.js';

/** `huddle web` as a process. */
export interface WebProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Without path and code. */
  readonly address: string;
  readonly port: number;
  /** The path that was printed first. */
  readonly path: string;
  /** The codes that were printed so far, the newest last. */
  codes(): readonly string[];
  /** Everything on standard output and on standard error so far, apart. */
  printed(): string;
  said(): string;
  /** Resolves when standard error or output shows this. */
  until(pattern: RegExp): Promise<void>;
  /** Lets a browser in; its headers from then on. */
  logIn(
    code?: string,
  ): Promise<{ readonly role: string; readonly headers: Readonly<Record<string, string>> }>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts it on any free port, unless the arguments name one. */
export async function startWeb(
  machine: Machine,
  args: readonly string[] = ['--port', '0'],
  env: Readonly<Record<string, string>> = {},
): Promise<WebProcess> {
  const child = machine.start(['web', ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { printed: '', said: '' };
  const listeners = new Set<() => void>();
  const note = (name: keyof typeof texts) => (chunk: Buffer) => {
    texts[name] += String(chunk);
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', note('printed'));
  child.stderr.on('data', note('said'));
  const ended: WebProcess['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!pattern.test(texts.printed + texts.said)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`It ended without ${pattern}: ${texts.printed}${texts.said}`)));
      look();
    });
  await until(/#code=/u);
  await until(/10 minutes|10 分钟/u);
  const [, address = '', port = '', path = ''] =
    /(http:\/\/127\.0\.0\.1:(\d+))(\S*)#code=/u.exec(texts.printed) ?? [];
  const codes = () => Array.from(texts.printed.matchAll(/#code=(\w+)/gu), ([, code = '']) => code);
  return {
    child,
    address,
    port: Number(port),
    path,
    codes,
    printed: () => texts.printed,
    said: () => texts.said,
    until,
    ended,
    async logIn(code = codes().at(-1) ?? '') {
      const answer = await fetch(`${address}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      });
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      const { key, role } = (await answer.json()) as LoggedIn;
      return { role, headers: { cookie, 'x-huddle-key': key } };
    },
  };
}
