// W6 beside others: `--version` of the agent CLIs, which are there once `npm run test:real` has run. They are
// started with an empty environment and home, and cut off from the network.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedFolder } from '../scripts/installOnce.mjs';
import { canCutOff, withoutNetwork } from '../scripts/withoutNetwork.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

export function peersStartUp() {
  console.log('\nW6 beside peers: --version; wall time\n');
  const packages = join(installedFolder(join(here, '../real'), 'real'), 'node_modules');
  if (!canCutOff || !existsSync(packages)) {
    console.log('       left out: the CLIs are installed by `npm run test:real`, on Linux');
    return;
  }
  const home = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  try {
    const [program, ...args] = withoutNetwork([process.execPath, join(here, 'versionTimes.mjs'), packages]);
    const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'), HOME: home, TMPDIR: home };
    const { status } = spawnSync(program, args, { env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the measurement ended with ${status}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
