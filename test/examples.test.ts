import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
