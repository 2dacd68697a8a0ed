import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isFast } from '../tier.js';
import { type Machine, program } from './runHuddle.js';

/** Tests that need a terminal are left out where there is no `script`, and fail where one is required. */
export const hasTerminal =
  !isFast && (process.env.HUDDLE_REQUIRE_PTY === '1' || spawnSync('script', ['--version']).status === 0);
if (!hasTerminal && !isFast) console.info('No `script` program here: tests in a real terminal are left out.');

export interface TerminalRun {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Typed when the program asks something. */
  readonly input?: string;
}

/** Runs the program in a pseudo-terminal; stdout and stderr are one screen there. */
export async function runInTerminal(
  machine: Machine,
  { args, env = {}, input = '' }: TerminalRun,
): Promise<{ code: number | null; screen: string }> {
  const child = spawnInTerminal(machine, { args, env });
  let screen = '';
  let hasTyped = false;
  for await (const chunk of child.stdout ?? []) {
    screen += String(chunk);
    if (hasTyped || !/\? \[y\/N\] (?:\u001b\[\d+G)?$/u.test(screen)) continue;
    child.stdin?.write(input);
    hasTyped = true;
  }
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.on('exit', resolve)));
  child.stdin?.destroy();
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}

/** Characters of a text that somebody waits for. */
const LONGEST_AWAITED = 1024;

/** A program in a terminal of its own. */
export interface OpenTerminal {
  /** Everything it has shown so far. */
  shown(): string;
  /** Resolves when it has shown this after what was there at the last call. */
  until(text: string): Promise<void>;
  type(text: string): void;
  /** The terminal goes away. */
  hangUp(): void;
  readonly ended: Promise<number | null>;
}

export interface TerminalOrder {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whoever is at the keyboard: somebody, or nobody. */
  readonly stdin?: 'pipe' | 'ignore';
  /** Gets the exit code of the program, also when its terminal is gone. */
  readonly codeFile?: string;
  /** Gets the number of its process. */
  readonly pidFile?: string;
}

export function openTerminal(machine: Machine, order: TerminalOrder = {}): OpenTerminal {
  const child = spawnInTerminal(machine, order);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const shown: string[] = [];
  /** What came after the last text that somebody waited for. */
  let unseen = '';
  const listeners = new Set<() => void>();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const clean = text.replaceAll('\r', '');
    shown.push(clean);
    unseen += clean;
    for (const listener of listeners) listener();
  });
  return {
    ended,
    shown: () => shown.join(''),
    type: (text) => child.stdin?.write(text),
    hangUp: () => child.kill('SIGKILL'),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const start = unseen.indexOf(text);
          // What was looked at need not be looked at again: a screen can show many megabytes.
          unseen = start < 0 ? unseen.slice(-LONGEST_AWAITED) : unseen.slice(start + text.length);
          if (start < 0) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        ended.then(() =>
          reject(new Error(`It ended without showing ${JSON.stringify(text)}: ${shown.join('')}`)),
        );
        look();
      }),
  };
}

function spawnInTerminal(
  machine: Machine,
  { args = [], env = {}, stdin = 'pipe', codeFile, pidFile }: TerminalOrder,
): ChildProcess {
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = join(machine.folder, 'command.sh');
  const run =
    codeFile === undefined
      ? `exec ${words.join(' ')}`
      : `trap : HUP\n${words.join(' ')}\necho $? > '${codeFile}'`;
  const note = pidFile === undefined ? '' : `echo $$ > '${pidFile}'\n`;
  writeFileSync(command, `cd '${machine.project}'\n${note}${run}\n`);
  return spawn('script', ['-qec', `exec /bin/sh ${command}`, '/dev/null'], {
    env: { ...machine.env, PATH: `${machine.env.PATH}:/usr/bin:/bin`, TERM: 'xterm-256color', ...env },
    stdio: [stdin, 'pipe', 'inherit'],
  });
}
