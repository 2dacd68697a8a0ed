// Puts the browser's program into `dist/web`: a page, and files whose names change with their contents.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { describeLicences, LICENCES } from './describeLicences.mjs';

const page = fileURLToPath(new URL('../src/frontends/web/page/', import.meta.url));

export async function bundlePage(distFolder) {
  const outDir = join(distFolder, 'web');
  const bundles = await build(describePage(outDir));
  const modules = [bundles]
    .flat()
    .flatMap(({ output }) => output.flatMap(({ moduleIds }) => moduleIds ?? []));
  packFiles(outDir);
  writeFileSync(join(outDir, LICENCES), describeLicences(modules));
}

/** Puts every file compressed beside itself: the server sends what a browser takes. */
function packFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(?:html|js|css)$/u.test(name)) continue;
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** The settings of the bundle, for the build and for the tests that look into it. */
export function describePage(outDir) {
  return {
    configFile: false,
    root: page,
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    resolve: {
      alias: [
        // Formatters that are handed no words take those of the process: in a browser, the page is that.
        { find: /^(?:\.\.?\/)+(?:catalogue\/)?words\.js$/u, replacement: join(page, 'state', 'language.ts') },
        // Some grammars have a near relative that colours their code nearly as well: Arduino's is C++ with the names of its
        // library, and C is most of it; Less and SCSS differ in the sign before a variable.
        ...Object.entries({ arduino: 'cpp', c: 'cpp', less: 'scss' }).map(([find, near]) => ({
          find: `highlight.js/lib/languages/${find}`,
          replacement: `highlight.js/lib/languages/${near}`,
        })),
      ],
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Modules, so that the colours are only loaded for the first code.
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // The first versions that know light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // The page's own policy forbids data addresses for scripts and styles, and a file has its own cache entry.
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      license: false,
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: nameChunk, debugName: 'page' }] } } },
    },
  };
}

/** What the page needs from the beginning is one file, which is smaller than many; all else is loaded when it is shown. */
function nameChunk(id, chunking) {
  const seen = new Set([id]);
  // The set grows while it is walked.
  for (const each of seen) {
    if (each.endsWith('/page/main.tsx')) return 'page';
    for (const importer of chunking.getModuleInfo(each)?.importers ?? []) seen.add(importer);
  }
  return null;
}
