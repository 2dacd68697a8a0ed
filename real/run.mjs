// `npm run test:real [vitest arguments]`: the real CLIs against the fake model. They are installed first; they run with
// an environment made from nothing, in a network namespace in which there is only this process to talk to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, installOnce } from '../scripts/installOnce.mjs';
import { canCutOff, withoutNetwork } from '../scripts/withoutNetwork.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

if (!canCutOff) {
  console.error('The real CLIs are only run without a network, which needs the namespaces of Linux.');
  process.exit(1);
}
const programs = installOnce(here, 'real');
// Apart from the others: they need another Node, and many packages.
const inspector = installOnce(join(here, 'inspector'), 'inspector');
const acpx = installOnce(join(here, 'acpx'), 'acpx');
// Not in /tmp: some sandboxes let everybody write there, and what they keep out is what is to be proved.
const workshops = mkdtempSync(join(cacheFolder(), 'workshops-'));
try {
  process.exitCode = await run([
    process.execPath,
    vitest,
    'run',
    '--config',
    join(here, 'vitest.config.ts'),
    ...process.argv.slice(2),
  ]);
} finally {
  rmSync(workshops, { recursive: true, force: true });
}

/** Ends with the tests, also when it is told to stop, so that the workshops are always cleared away. */
async function run(command) {
  const [program, ...args] = withoutNetwork(command);
  const child = spawn(program, args, { stdio: 'inherit', env: environment() });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'exit');
  return status ?? 1;
}

/** Nothing of the user's passes, so nothing of theirs can be used or changed. */
function environment() {
  return {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: workshops,
    TMPDIR: workshops,
    LANG: 'C.UTF-8',
    NO_COLOR: process.stdout.isTTY ? '' : '1',
    REAL_PROGRAMS: join(programs, 'node_modules'),
    REAL_INSPECTOR: join(inspector, 'node_modules'),
    REAL_ACPX: join(acpx, 'node_modules'),
    REAL_WORKSHOPS: workshops,
  };
}
