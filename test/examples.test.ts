import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from './config/temporaryFolder.js';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the library example holds a conversation, whatever its folder is called', () => {
  const folder = join(makeTemporaryFolder(), 'my projects 小明');
  cpSync(join(root, 'examples'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'agent-huddle'));
  expect(execFileSync(process.execPath, [join(folder, 'library.mjs')], { encoding: 'utf8' })).toBe(
    [
      'you: Is the login safe? [NEXT: author, reviewer]',
      'author: author here, in rehearsal. I was asked: "Is the login safe?".',
      'reviewer: reviewer here, in rehearsal. I was asked: "author here, in rehearsal. I was asked: "Is the login safe?".".',
      '',
    ].join('\n'),
  );
});

test('the example of sessions keeps a conversation, goes on with it and takes it elsewhere', () => {
  const file = join(root, 'examples', 'sessions.mjs');
  const folder = makeTemporaryFolder();
  const env = { ...process.env, TMPDIR: folder };
  const output = execFileSync(process.execPath, [file, join(folder, 'kept.sqlite')], {
    encoding: 'utf8',
    env,
  });
  expect(output).toMatch(/^Is the login safe\? · 4 messages · done\nimported 1, with \d+ events\n$/u);
});
