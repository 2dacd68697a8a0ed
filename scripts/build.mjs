// Writes `dist/`: the command, the library and the page, made of `src/`. `compiled/` is what the compiler wrote, for
// tests and benches; it is not published.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { bundlePage } from './bundlePage.mjs';
import { fingerprint, markBuilt } from './fingerprint.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

const builtFrom = fingerprint(root);
for (const folder of ['dist', 'compiled']) rmSync(join(root, folder), { recursive: true, force: true });
const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (result.status !== 0) process.exit(1);
await bundle({
  distFolder: join(root, 'dist'),
  modulesFolder: join(root, 'compiled'),
  sourceFolder: join(root, 'src'),
});
await writeHelp();
await bundlePage(join(root, 'dist'));
chmodSync(join(root, 'dist', 'cli', 'huddle.js'), 0o755);
markBuilt(root, builtFrom);

/** The text of `huddle --help` in each language, so that showing it needs nothing loaded. */
async function writeHelp() {
  const { PROGRAM } = await import('../compiled/cli/commands.js');
  const { formatHelp } = await import('../compiled/cli/start/help.js');
  const { LANGUAGES } = await import('../compiled/models/Language.js');
  const { english } = await import('../compiled/catalogue/english.js');
  const { chinese } = await import('../compiled/catalogue/chinese.js');
  for (const language of LANGUAGES) {
    const words = language === 'zh-CN' ? chinese : english;
    writeFileSync(
      join(root, 'dist', 'cli', `help.${language}.txt`),
      formatHelp(PROGRAM, [PROGRAM.name], words),
    );
  }
}
