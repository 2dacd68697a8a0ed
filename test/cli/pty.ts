import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, program } from './runHuddle.js';

/** Tests that need a terminal are left out where there is no `script`, and fail where one is required. */
export const hasTerminal =
  process.env.HUDDLE_REQUIRE_PTY === '1' || spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) console.info('No `script` program here: tests in a real terminal are left out.');

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
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = join(machine.folder, 'command.sh');
  writeFileSync(command, `cd '${machine.project}'\nexec ${words.join(' ')}\n`);
  const child = spawn('script', ['-qec', `/bin/sh ${command}`, '/dev/null'], {
    env: { ...machine.env, PATH: `${machine.env.PATH}:/usr/bin:/bin`, TERM: 'xterm-256color', ...env },
  });
  let screen = '';
  let hasTyped = false;
  for await (const chunk of child.stdout) {
    screen += String(chunk);
    if (hasTyped || !/\?[^\n]*: (?:\u001b\[\d+G)?$/u.test(screen)) continue;
    child.stdin.write(input);
    hasTyped = true;
  }
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.on('exit', resolve)));
  child.stdin.destroy();
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}
