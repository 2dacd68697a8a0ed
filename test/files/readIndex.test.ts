import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readIndex } from '../../src/files/git/readIndex.js';
import { makeRepository } from './repository.js';

const FILES = { 'a.ts': 'a', 'b.ts': 'b', 'src/a.ts': 'c', 'src/aa.ts': 'd' };
/** A name that is longer than an index can tell the length of. */
const LONG = `${'deep/'.repeat(850)}a.ts`;

test.each(['2', '4'])('of an index of version %s, only what is wanted is read', (version) => {
  const { folder, git } = makeRepository({ ...FILES, 'later.ts': '' });
  git('rm', '-q', '--cached', 'later.ts');
  git('add', '--intent-to-add', 'later.ts');
  const id = git('hash-object', '-w', 'a.ts').trim();
  git('update-index', '--add', '--cacheinfo', `100644,${id},${LONG}`);
  git('update-index', `--index-version=${version}`);
  const bytes = readFileSync(join(folder, '.git', 'index'));
  const all = readIndex(bytes, 'sha1') ?? [];
  expect(all.map(({ path }) => path).sort()).toEqual([...Object.keys(FILES), 'later.ts', LONG].sort());
  expect(all.filter(({ isPlain }) => !isPlain).map(({ path }) => path)).toEqual(['later.ts']);
  for (const { path } of all)
    expect(readIndex(bytes, 'sha1', new Set([path, `${path}x`, 'none']))).toEqual(
      all.filter((entry) => entry.path === path),
    );
  expect(readIndex(bytes, 'sha1', new Set())).toEqual([]);
});
