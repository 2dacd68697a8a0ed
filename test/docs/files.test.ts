import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { page } from './pages.js';
import { playPage } from './playPage.js';

const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const identity = ['AUTHOR', 'COMMITTER'].map((who) => `GIT_${who}_NAME=kim GIT_${who}_EMAIL=kim@localhost`);

test('files are recorded, undone, copied, checked and committed as their page says', async () => {
  const played = await playPage(page('docs/files.md'), (bin) => {
    const file = join(bin, 'git');
    writeFileSync(file, `#!/bin/sh\n${identity.join(' ')} exec ${git} "$@"\n`);
    chmodSync(file, 0o755);
  });
  expect(played.filter(({ fits }) => !fits)).toEqual([]);
}, 60_000);
