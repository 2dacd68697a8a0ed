// Puts the browser's program into `dist/web`: a page, and files whose names change with their contents.
import { writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { describeLicences, LICENCES } from './describeLicences.mjs';

/** Sections of the catalogue that the page never reads: help, the terminal and the like are more than all the rest of it. */
export const LEFT_OUT = [
  'acp',
  'acpView',
  'adjust',
  'cassette',
  'cli',
  'company',
  'config',
  'doctor',
  'errors',
  'eventFault',
  'files',
  'fleet',
  'forks',
  'help',
  'init',
  'mcp',
  'nested',
  'page',
  'presets',
  'print',
  'recording',
  'reasons',
  'rehearsal',
  'replay',
  'sessions',
  'stores',
  'teamCheck',
  'teamFile',
  'terminal',
  'trust',
  'webDoor',
  'webLive',
  'workers',
];

const page = fileURLToPath(new URL('../src/frontends/web/page/', import.meta.url));

export async function bundlePage(distFolder) {
  const outDir = join(distFolder, 'web');
  const bundles = await build(describePage(outDir));
  const modules = [bundles]
    .flat()
    .flatMap(({ output }) => output.flatMap(({ moduleIds }) => moduleIds ?? []));
  writeFileSync(join(outDir, LICENCES), describeLicences(modules));
}

/** The settings of the bundle, for the build and for the tests that look into it. */
export function describePage(outDir) {
  return {
    configFile: false,
    root: page,
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [leaveOut(LEFT_OUT)],
    // Arduino's is C++ with the names of its library, the longest grammar of all; plain C++ colours it nearly as well.
    resolve: {
      alias: { 'highlight.js/lib/languages/arduino': 'highlight.js/lib/languages/cpp' },
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

/** Takes sections out of the catalogue of either language, so that nothing needs their files. */
function leaveOut(sections) {
  const catalogue = /\/catalogue\/(?:english|chinese)\.ts$/;
  return {
    name: 'leave-out',
    enforce: 'pre',
    transform(code, id) {
      if (!catalogue.test(id.split(sep).join('/'))) return null;
      return sections.reduce((rest, section) => {
        const lines = new RegExp(`^ {2}${section}: (?:\\w+|\\{\\n(?: {4}.*\\n|\\n)* {2}\\}),\\n`, 'mu');
        if (!lines.test(rest)) throw new Error(`${id} has no section ${section} that can be left out`);
        return rest.replace(lines, '');
      }, code);
    },
  };
}
