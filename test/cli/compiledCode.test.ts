import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine } from './runHuddle.js';

test('a Node that can keep compiled code keeps it in the cache of the user', async () => {
  const machine = createMachine();
  // The Node of the test may be too old for that.
  const preloaded = machine.write(
    'keeping.cjs',
    "require('node:module').enableCompileCache = (folder) => console.log('kept in', folder);",
  );
  const env = { NODE_OPTIONS: `--require ${preloaded}` };
  const usual = await machine.run(['sessions', '--json'], { env });
  expect(usual.stdout).toBe(`kept in ${join(machine.folder, '.cache', 'huddle', 'compiled')}\n[]\n`);
  const elsewhere = await machine.run(['sessions', '--json'], { env: { ...env, XDG_CACHE_HOME: '/caches' } });
  expect(elsewhere.stdout).toBe('kept in /caches/huddle/compiled\n[]\n');
});

test('the answers that load nothing keep nothing', async () => {
  const machine = createMachine();
  const preloaded = machine.write(
    'keeping.cjs',
    "require('node:module').enableCompileCache = (folder) => console.log('kept in', folder);",
  );
  const { stdout } = await machine.run(['--help'], { env: { NODE_OPTIONS: `--require ${preloaded}` } });
  expect(stdout).not.toContain('kept in');
});
