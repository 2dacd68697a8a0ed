import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLines, prefixPatch, splitPatch } from '../../../src/files/changes/patchSections.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';

const NAMES = [
  'plain.txt',
  'two words.txt',
  'naïve 小明.txt',
  'q"uote\\.txt',
  'new\nline',
  'a b/a b',
  ' b/x',
];

/** What git itself writes of two states of a folder. */
function diffOf(before: Record<string, string>, after: Record<string, string>): string {
  const folder = makeTemporaryFolder();
  for (const [side, files] of Object.entries({ a: before, b: after }))
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, side, name)), { recursive: true });
      writeFileSync(join(folder, side, name), content);
    }
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder },
    });
  git('init', '-q', '.');
  const treeOf = (side: string) => {
    git('--work-tree', side, 'add', '-A');
    return git('write-tree').trim();
  };
  return git('diff-tree', '-r', '-p', '-M', treeOf('a'), treeOf('b'));
}

describe('the parts of a diff', () => {
  it('are found with their names, whatever those are', () => {
    const before = Object.fromEntries(NAMES.map((name) => [name, 'one\n']));
    const after = Object.fromEntries(NAMES.map((name) => [name, 'two\ndiff --git a/x b/x\n']));
    const sections = splitPatch(diffOf(before, after));
    expect(sections.map(({ oldPath }) => oldPath).sort()).toEqual([...NAMES].sort());
    expect(sections.map(({ newPath }) => newPath)).toEqual(sections.map(({ oldPath }) => oldPath));
    expect(sections.map(countLines)).toEqual(NAMES.map(() => ({ added: 2, removed: 1 })));
  });

  it('have both names of a file that was moved', () => {
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
    const [section] = splitPatch(diffOf({ 'old name': text }, { 'näw/name': `${text}more\n` }));
    expect(section).toMatchObject({ oldPath: 'old name', newPath: 'näw/name' });
  });

  it.each(['sub/', 'two words/', 'n"ä/x/'])('stay whole when they are put below %s', (prefix) => {
    const before = Object.fromEntries([...NAMES, 'gone'].map((name) => [name, `${name}\n`]));
    const after = Object.fromEntries([...NAMES, 'new'].map((name) => [name, `${name}\n2\n`]));
    const under = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).map(([name, content]) => [prefix + name, content]));
    const made = splitPatch(prefixPatch(diffOf(before, after), prefix));
    const direct = splitPatch(diffOf(under(before), under(after)));
    const named = (sections: typeof made) =>
      sections.map(({ oldPath, newPath, text }) => [oldPath, newPath, text.split(/^(?=@@)/mu)[1]]).sort();
    expect(named(made)).toEqual(named(direct));
    // Below a plain name nothing is written in another way than git does.
    if (prefix === 'sub/') expect(made).toEqual(direct);
  });
});
