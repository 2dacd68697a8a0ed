// Puts packages that users do not install into the modules of the library that import them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { ABSENT, MINIFY, STAND_INS } from './bundleProgram.mjs';
import { describeLicences, LICENCES } from './describeLicences.mjs';

/** By folder. */
const MODULES = {
  markdown: ['parseMarkdown', 'highlightCode'],
  cassette: ['diffPrompts'],
  'store/postgres': ['pgPackage'],
};

/** Works on what the compiler wrote, after the program has been made of it. */
export async function bundlePackages(distFolder) {
  for (const [name, modules] of Object.entries(MODULES)) await bundleFolder(join(distFolder, name), modules);
}

async function bundleFolder(folder, names) {
  const { output } = await build({
    input: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.js`)])),
    platform: 'node',
    resolve: { alias: STAND_INS },
    // Modules of ours stay beside it; a package asks for one that it works without.
    external: (id, importer = '') =>
      (id.startsWith('.') && importer.startsWith(folder)) || ABSENT.includes(id),
    treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
    output: { format: 'esm', minify: MINIFY, comments: { legal: false } },
    write: false,
    logLevel: 'warn',
  });
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
  const modules = output.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(folder, LICENCES), describeLicences(modules));
}
