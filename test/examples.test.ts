import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from './config/temporaryFolder.js';

test('the library example holds a conversation', () => {
  const file = fileURLToPath(new URL('../examples/library.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe(
    [
      'you: Is the login safe? [NEXT: author, reviewer]',
      'author: author here, in rehearsal. I was asked: "Is the login safe?".',
      'reviewer: reviewer here, in rehearsal. I was asked: "author here, in rehearsal. I was asked: "Is the login safe?".".',
      '',
    ].join('\n'),
  );
});

test('the example of sessions keeps a conversation, goes on with it and takes it elsewhere', () => {
  const file = fileURLToPath(new URL('../examples/sessions.mjs', import.meta.url));
  const folder = makeTemporaryFolder();
  const env = { ...process.env, TMPDIR: folder };
  const output = execFileSync(process.execPath, [file, join(folder, 'kept.sqlite')], {
    encoding: 'utf8',
    env,
  });
  expect(output).toMatch(
    /^Is the login safe\? \[NEXT: author\] · 4 messages · done\nimported 1, with \d+ events\n$/u,
  );
});
