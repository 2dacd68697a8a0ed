import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

/** A git environment with nothing of this machine in it. */
export const GIT_ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Kim',
  GIT_AUTHOR_EMAIL: 'kim@example.org',
  GIT_COMMITTER_NAME: 'Kim',
  GIT_COMMITTER_EMAIL: 'kim@example.org',
};

/** A real folder to work in, and the user's own git there. */
export interface TestFolder {
  readonly folder: string;
  /** A data folder beside it. */
  readonly dataFolder: string;
  /** Writes files by their paths. */
  write(files: Readonly<Record<string, string | Buffer>>): void;
  read(path: string): string;
  /** Runs the user's git in the folder. */
  git(...args: string[]): string;
}

/** A folder without git. */
export function makePlainFolder(files: Readonly<Record<string, string | Buffer>> = {}): TestFolder {
  const outer = makeTemporaryFolder();
  const folder = join(outer, 'project');
  mkdirSync(folder);
  const made = testFolder(folder, join(outer, 'data'));
  made.write(files);
  return made;
}

/** A repository with these files committed. */
export function makeRepository(
  files: Readonly<Record<string, string | Buffer>> = { 'README.md': 'hello\n' },
  ...initArguments: string[]
): TestFolder {
  const made = makePlainFolder(files);
  const isEmpty = Object.keys(files).length === 0;
  const [begun, whole] = [JSON.stringify(initArguments), JSON.stringify([initArguments, fieldsOf(files)])];
  if (!isEmpty && copyGit(whole, made)) {
    // The index still tells of the files that the first one was made of.
    made.git('update-index', '-q', '--refresh');
    return made;
  }
  if (!copyGit(begun, made)) {
    made.git('init', '-q', '-b', 'main', ...initArguments);
    keepGit(begun, made);
  }
  if (!isEmpty) {
    made.git('add', '-A');
    made.git('commit', '-q', '-m', 'first');
    keepGit(whole, made);
  }
  return made;
}

/** Copies of `.git` as it was made once in this process: to copy it again is quicker than git. */
const kept = new Map<string, string>();

function keepGit(key: string, { folder }: TestFolder): void {
  const copy = join(mkdtempSync(join(inject('runFolder'), 'repository-')), 'git');
  cpSync(join(folder, '.git'), copy, { recursive: true });
  kept.set(key, copy);
}

function copyGit(key: string, { folder }: TestFolder): boolean {
  const copy = kept.get(key);
  if (copy !== undefined) cpSync(copy, join(folder, '.git'), { recursive: true });
  return copy !== undefined;
}

function fieldsOf(files: Readonly<Record<string, string | Buffer>>): readonly (readonly [string, string])[] {
  return Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('base64')]);
}

export function testFolder(folder: string, dataFolder: string): TestFolder {
  return {
    folder,
    dataFolder,
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    git: (...args) => runTestGit(folder, args),
  };
}

/** Runs git in a folder with a clean environment; what it says on stderr is in the error. */
export function runTestGit(folder: string, args: readonly string[], input?: string): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: GIT_ENVIRONMENT,
    encoding: 'utf8',
    stdio: 'pipe',
    ...(input !== undefined && { input }),
  });
}

/** Every file, folder and link below a folder: kind and mode, time of change in nanoseconds, hash of the content. */
export function readEverything(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path, { bigint: true });
    found[name] = [stats.mode.toString(8), stats.mtimeNs, contentOf(path)].join(' ');
  }
  return found;
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}
