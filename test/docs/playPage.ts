import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Fence, type Page, root } from './pages.js';

/** One command of a page, what the page shows of its output, and what it really said. */
export interface PlayedCommand {
  readonly command: string;
  readonly shown: string;
  readonly said: string;
  /** The two agree. */
  readonly fits: boolean;
}

/** Adds programs to the folder of programs; `folder` is a place for their own files. */
export type Furnish = (bin: string, folder: string) => void;

/**
 * Runs the commands of a page, in order, on a machine with the files of the page and nothing but Node, git, Huddle and what
 * `install` adds. `env` are variables of it besides.
 */
export async function playPage(
  page: Page,
  install?: Furnish,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly PlayedCommand[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-docs-')));
  try {
    const machine = furnish(folder, page, env);
    install?.(join(folder, 'bin'), folder);
    const played: PlayedCommand[] = [];
    for (const fence of page.fences.filter(({ words }) => words.includes('run'))) {
      for (const { command, shown } of commandsOf(fence)) {
        const said = await machine.run(command);
        played.push({ command, shown, said, fits: fits(fence, shown, said) });
      }
    }
    return played;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IDENTITY = ['AUTHOR', 'COMMITTER'].map((who) => `GIT_${who}_NAME=kim GIT_${who}_EMAIL=kim@localhost`);

function findGit(): string {
  return execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
}

function furnish(
  folder: string,
  page: Page,
  more: Readonly<Record<string, string>>,
): { run(command: string): Promise<string> } {
  const [bin, project] = [join(folder, 'bin'), join(folder, 'project')];
  for (const made of [bin, join(project, 'node_modules')]) mkdirSync(made, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  const huddle = join(bin, 'huddle');
  writeFileSync(huddle, `#!/bin/sh\nexec node '${join(root, 'dist', 'cli', 'huddle.js')}' "$@"\n`);
  chmodSync(huddle, 0o755);
  const git = join(bin, 'git');
  writeFileSync(git, `#!/bin/sh\n${IDENTITY.join(' ')} exec '${findGit()}' "$@"\n`);
  chmodSync(git, 0o755);
  symlinkSync(root, join(project, 'node_modules', 'agent-huddle'));
  writeFileSync(join(project, 'package.json'), '{}');
  writeFiles(project, page);
  const env = { PATH: bin, HOME: folder, HUDDLE_HOME: join(folder, 'data'), TMPDIR: folder, ...more };
  return {
    async run(command) {
      const child = spawn('/bin/sh', ['-c', `exec 2>&1 < /dev/null\n${command}`], { cwd: project, env });
      return text(child.stdout);
    },
  };
}

/** The blocks of a page that its commands and team files need. */
export function writeFiles(folder: string, { fences }: Page): void {
  for (const { file, text: content } of fences) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

/** `$ command`, and the lines up to the next one. */
function commandsOf({ text: transcript }: Fence): readonly { command: string; shown: string }[] {
  return transcript
    .split(/^\$ /mu)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), shown: part.slice(end + 1) };
    });
}

/** `exact`: byte for byte. Else `…` stands for anything, and blank lines, times and sizes do not count. */
function fits({ words }: Fence, shown: string, said: string): boolean {
  if (words.includes('exact')) return shown === said;
  const heard = words.includes('login') ? said.replaceAll(userInfo().username, 'you') : said;
  return pattern(simplify(shown)).test(simplify(heard));
}

function simplify(output: string): string {
  return output
    .replaceAll(/\b(\d+ turns?) in [\d.]+ s/gu, '$1 in N s')
    .replaceAll(/\b(prompt for \w+:|is sent) \d+ bytes/gu, '$1 N bytes')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

function pattern(shown: string): RegExp {
  const parts = shown.split(/(^…\n|…)/mu).map((part) => {
    if (part === '…\n') return '(?:.*\\n)*?';
    return part === '…' ? '.*' : part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}
