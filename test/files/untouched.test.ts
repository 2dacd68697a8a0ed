import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { GIT_ENVIRONMENT, makeRepository, readEverything, testFolder } from './repository.js';

/** Calls by which a file, a folder or its times are changed. */
const WRITING =
  /^(?:unlink|unlinkat|rename|renameat2?|mkdir|mkdirat|rmdir|chmod|fchmodat2?|f?chown|lchown|fchownat|utimensat|utime|link|linkat|symlink|symlinkat|truncate|mknod|mknodat|creat)\(/u;
const OPENING_TO_WRITE = /^open(?:at)?\(.*\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/u;

test.runIf(hasStrace())(
  'no call writes below .git, and no program is started but git',
  { timeout: 120_000 },
  async () => {
    const program = await bundleProgram(new URL('recordProgram.ts', import.meta.url));
    const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const inner = testFolder(join(folder.folder, 'inner'), folder.dataFolder);
    mkdirSync(inner.folder);
    inner.git('init', '-q');
    const before = readEverything(join(folder.folder, '.git'));
    const log = join(makeTemporaryFolder(), 'calls');
    const watched = ['strace', '-f', '-qq', '-s', '4096', '-e', 'trace=%file,process', '-o', log];
    const [command = '', ...args] = [...watched, process.execPath, program, folder.folder, folder.dataFolder];
    const output = execFileSync(command, args, { encoding: 'utf8', env: { PATH: GIT_ENVIRONMENT.PATH } });
    rmSync(dirname(program), { recursive: true });
    expect(output).toBe('a.txt\n');
    const calls = readFileSync(log, 'latin1')
      .split('\n')
      .map((line) => line.replace(/^\d+\s+/u, ''));
    const writing = calls.filter((call) => WRITING.test(call) || OPENING_TO_WRITE.test(call));
    expect(writing.length).toBeGreaterThan(10);
    expect(writing.filter((call) => /(?:^|["/])\.git(?:["/])/u.test(call))).toEqual([]);
    const started = calls.flatMap((call) => /^execve\("([^"]*)".* = 0$/u.exec(call)?.[1] ?? []);
    expect(new Set(started.map((file) => basename(file)))).toEqual(
      new Set([basename(process.execPath), 'git']),
    );
    expect(readEverything(join(folder.folder, '.git'))).toEqual(before);
  },
);

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Not installed, or not allowed here.
  }
}
