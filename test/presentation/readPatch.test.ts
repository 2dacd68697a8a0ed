import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describePatch, partPatch, readPatch } from '../../src/presentation/readPatch.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

type Files = Readonly<Record<string, string | Buffer>>;

/** The diff that git makes of two states of a folder, and what git itself says of it. */
function diffOf(before: Files, after: Files) {
  const folder = makeTemporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1e8 });
  const write = (files: Files): string => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    git('add', '-A');
    return git('write-tree').trim();
  };
  git('init', '-q');
  const old = write(before);
  for (const name of Object.keys(before)) rmSync(join(folder, name));
  const now = write(after);
  const range = ['-r', '-M', old, now];
  const counts = git('diff-tree', '--numstat', '-z', ...range)
    .split('\0')
    .flatMap((row) => /^(\d+)\t(\d+)\t/u.exec(row)?.slice(1, 3).map(Number) ?? []);
  return {
    patch: git('diff-tree', '-p', ...range),
    paths: git('diff-tree', '--name-only', '-z', ...range)
      .split('\0')
      .filter(Boolean),
    added: counts.reduce((sum, count, index) => sum + (index % 2 === 0 ? count : 0), 0),
    removed: counts.reduce((sum, count, index) => sum + (index % 2 === 1 ? count : 0), 0),
  };
}

const lines = (count: number, more = '') =>
  Array.from({ length: count }, (_, index) => `line ${index}${more}`).join('\n');

/** Files whose lines and names look like parts of a diff. */
const BEFORE: Files = {
  'notes.sql': '-- a/x\n-- b/y\n++ z\nkept\n\n@@ -1 +1 @@\ndiff --git a/x b/x\n',
  'src/a b.ts': lines(30),
  'src/gone.ts': 'one\ntwo',
  'a/moved.ts': lines(40),
  'same mode': 'x\n',
  'picture.png': Buffer.from([0, 1, 2, 3]),
  'na\nme "q" ä.txt': 'old\n',
  'b/b/c': 'old\n',
};
const AFTER: Files = {
  'notes.sql': '++ b/y\n-- c/d\nkept\n\n@@ -9 +9 @@\n--- a/no\n+++ b/no\n',
  'src/a b.ts': lines(30).replace('line 3\n', 'line 3, changed\n').replace('line 27', 'line 27\r'),
  'a/elsewhere/moved.ts': lines(40),
  'same mode': 'x\n',
  'picture.png': Buffer.from([0, 9, 2, 3]),
  'na\nme "q" ä.txt': 'new\n',
  'b/b/c': 'new\n',
  'empty file': '',
  '中文.md': '你好\n',
  // Line ends of other systems, behind which a head could hide.
  'forged.txt': 'x\rdiff --git a/etc b/etc\n\u2028diff --git a/etc b/etc\n\r@@ -1 +1 @@\n',
};

describe('a diff that git made', () => {
  it('is parted by the files it is about, whatever they are called', () => {
    const { patch, paths } = diffOf(BEFORE, AFTER);
    const found = partPatch(patch).map(({ path }) => path);
    expect(found.toSorted()).toEqual(paths.toSorted());
  });

  it('has the lines that git counts, also those that look like the head of a file', () => {
    const { patch, paths, added, removed } = diffOf(BEFORE, AFTER);
    const kinds = [...readPatch(patch)].map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'add')).toHaveLength(added);
    expect(kinds.filter((kind) => kind === 'remove')).toHaveLength(removed);
    expect(kinds.filter((kind) => kind === 'file')).toHaveLength(paths.length);
  });

  it('is the same text again', () => {
    const { patch } = diffOf(BEFORE, AFTER);
    const text = [...readPatch(patch)].map((line) => `${line.text}\n`).join('');
    expect(text).toBe(patch);
  });

  it('is shown with marks and places, without the names that stand above it', () => {
    const [shown] = describePatch(diffOf({ 'a.ts': lines(9) }, { 'a.ts': lines(8) }).patch);
    expect(shown).toEqual({
      title: 'a.ts',
      lines: [
        { mark: '…', text: '@@ -5,5 +5,4 @@ line 3' },
        ...['line 4', 'line 5', 'line 6'].map((text) => ({ mark: ' ', text })),
        { mark: '-', text: 'line 7' },
        { mark: '-', text: 'line 8' },
        { mark: '…', text: '\\ No newline at end of file' },
        { mark: '+', text: 'line 7' },
        { mark: '…', text: '\\ No newline at end of file' },
      ],
    });
  });
});

describe('text that is no diff', () => {
  it.each([
    ['nothing', ''],
    ['words', 'hello\nthere'],
    ['a hunk that is cut off', '@@ -1,9 +1,9 @@\n+a'],
    ['a head alone', 'diff --git '],
  ])('is read without a complaint: %s', (_title, patch) => {
    expect([...readPatch(patch)].map(({ text }) => text).join('\n')).toBe(patch.replace(/\n$/u, ''));
    expect(() => describePatch(patch)).not.toThrow();
  });

  it('is read to its end, however it is made', () => {
    const hostile = `diff --git a/${' b/'.repeat(80_000)}\n+++ "${'\\'.repeat(200_000)}\n@@ -1 +1 @@\n+${'x'.repeat(200_000)}`;
    const [shown] = describePatch(hostile);
    expect(shown?.lines.at(-1)?.text).toMatch(/^x{2000}…$/u);
  });
});
