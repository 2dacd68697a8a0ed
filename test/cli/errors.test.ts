import { expect, test } from 'vitest';
import { createMachine } from './runHuddle.js';

const KEY = `sk-ant-api03-${'FAKE'.repeat(9)}`;

test.each([
  ['a key in the place of a command', [KEY], {}, 2],
  ['a key in the name of a file', ['run', 'Go.', '--team', `${KEY}.jsonc`], {}, 78],
  ['a key as an option', ['run', 'Go.', `--${KEY}`], {}, 2],
  ['a value of the environment', ['hunter2hunter2'], { DB_PASS: 'hunter2hunter2' }, 2],
  ['an address with a password', ['run', '--file', 'postgres://kim:FAKEpass@host'], {}, 2],
])('an error masks %s that was given as an argument', async (_title, args, env, exitCode) => {
  const { code, stdout, stderr } = await createMachine().run(args, { env });
  expect(code).toBe(exitCode);
  expect(stderr).toContain('[redacted]');
  expect(stdout + stderr).not.toMatch(/FAKEFAKE|FAKEpass|hunter2/u);
});
