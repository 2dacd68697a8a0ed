// Writes `dist/`: the library and the command line program, compiled from `src/`.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './bundlePackages.mjs';
import { bundlePage } from './bundlePage.mjs';
import { bundleProgram } from './bundleProgram.mjs';
import { fingerprint, markBuilt } from './fingerprint.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

const builtFrom = fingerprint(root);
rmSync(join(root, 'dist'), { recursive: true, force: true });
const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (result.status !== 0) process.exit(1);
const migrations = join('store', 'postgres', 'migrations');
cpSync(join(root, 'src', migrations), join(root, 'dist', migrations), { recursive: true });
await writeHelp();
await bundleProgram(join(root, 'dist'));
await bundlePackages(join(root, 'dist'));
await bundlePage(join(root, 'dist'));
chmodSync(join(root, 'dist', 'cli', 'huddle.cjs'), 0o755);
markBuilt(root, builtFrom);

/** The text of `huddle --help` in each language, so that showing it needs nothing loaded. */
async function writeHelp() {
  const { PROGRAM } = await import('../dist/cli/commands.js');
  const { formatHelp } = await import('../dist/cli/start/help.js');
  const { LANGUAGES } = await import('../dist/models/Language.js');
  const { english } = await import('../dist/catalogue/english.js');
  const { chinese } = await import('../dist/catalogue/chinese.js');
  for (const language of LANGUAGES) {
    const words = language === 'zh-CN' ? chinese : english;
    writeFileSync(
      join(root, 'dist', 'cli', `help.${language}.txt`),
      formatHelp(PROGRAM, [PROGRAM.name], words),
    );
  }
}
