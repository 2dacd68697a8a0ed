import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/runHuddle.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

type FindChromium = (environment: Readonly<Record<string, string>>) => string | undefined;
const { findChromium }: { findChromium: FindChromium } = await import(`${root}scripts/chromium.mjs`);

const BROWSER_TESTS = 'test/frontends/web/browser/';

test('the browser is CHROME_PATH, else the first of its names on PATH', () => {
  const [empty, folder] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const program = join(folder, 'chromium');
  writeFileSync(program, '');
  expect(findChromium({ PATH: folder })).toBeUndefined();
  chmodSync(program, 0o755);
  expect(findChromium({ PATH: `${empty}:${folder}` })).toBe(program);
  expect(findChromium({ PATH: folder, CHROME_PATH: '/opt/chrome' })).toBe('/opt/chrome');
  expect(findChromium({ PATH: '' })).toBeUndefined();
});

test.each([
  { required: '0', status: 0, says: /Skipped: .*no Chromium here\. To run these tests, install chromium/u },
  { required: '1', status: 1, says: /No Chromium found\. Install chromium, or set CHROME_PATH\./u },
])(
  'without a browser, tests that need one end with $status if HUDDLE_REQUIRE_BROWSER is $required',
  ({ required, status, says }) => {
    const bin = makeTemporaryFolder();
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    symlinkSync(git, join(bin, 'git'));
    const run = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', `${BROWSER_TESTS}harness.test.ts`],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, PATH: bin, CHROME_PATH: '', HUDDLE_REQUIRE_BROWSER: required },
      },
    );
    expect(`${run.stdout}${run.stderr}`).toMatch(says);
    expect(run.status).toBe(status);
  },
);
