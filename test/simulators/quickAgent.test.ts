import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

test.each([
  ['claude', '--version'],
  ['claude', '-p', '--output-format', 'stream-json'],
  ['claude', '-p', '--resume', 'hostile-7'],
  ['claude', 'mcp', 'list'],
  ['codex', '--version'],
  ['codex', 'exec', '--json', '-'],
  ['codex', 'exec', 'resume', 'hostile-7', '--json'],
])('the quick %s says to %s what the hostile agent says', (name, ...args) => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, '.hostile'));
  symlinkSync(fixture('quick-agent.sh'), join(folder, name));
  symlinkSync(fixture('hostile-agent.mjs'), join(folder, '.hostile', name));
  const answers = ['.', '.hostile'].map((place) => {
    const env = { PATH: process.env.PATH, HOSTILE: 'fixed', HOSTILE_TEXT: '好 done. [NEXT: max]' };
    const said = execFileSync(join(folder, place, name), args, {
      cwd: folder,
      env,
      input: 'hi',
      encoding: 'utf8',
    });
    return said.replaceAll(/hostile-\d\d+/gu, 'hostile-<pid>');
  });
  expect(answers[0]).toBe(answers[1]);
});
