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
  'workers',
];

/** Sections of English that come with the panels, see `panelWords.ts`. */
export const LATER = ['filePlan', 'webPanels', 'why'];

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
    plugins: [
      leaveOut(/\/catalogue\/(?:english|chinese)\.ts$/, LEFT_OUT),
      leaveOut(/\/catalogue\/english\.ts$/, LATER),
      keepEffects(/\/panels\/panelWords\.ts$/),
    ],
    // Some grammars have a near relative that colours their code nearly as well: Arduino's is C++ with the names of its library,
    // and C is most of it; Less and SCSS differ in the sign before a variable.
    resolve: {
      alias: {
        'highlight.js/lib/languages/arduino': 'highlight.js/lib/languages/cpp',
        'highlight.js/lib/languages/c': 'highlight.js/lib/languages/cpp',
        'highlight.js/lib/languages/less': 'highlight.js/lib/languages/scss',
      },
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

/** Takes sections out of a catalogue, so that it does not need their files. */
function leaveOut(catalogue, sections) {
  return {
    name: 'leave-out',
    enforce: 'pre',
    transform(code, id) {
      if (!catalogue.test(id.split(sep).join('/'))) return null;
      return sections.reduce((rest, section) => {
        const lines = new RegExp(`^ {2}${section}: (?:(\\w+)|\\{\\n(?: {4}.*\\n|\\n)* {2}\\}),\\n`, 'mu');
        const found = lines.exec(rest);
        if (found === null) throw new Error(`${id} has no section ${section} that can be left out`);
        // An import that is not used would still count when modules are put into files.
        return rest
          .replace(lines, '')
          .replace(new RegExp(`^import \\{ ${found[1]} \\} from .*\\n`, 'mu'), '');
      }, code);
    },
  };
}

/** Keeps a module that is imported for what it does: package.json says of all that they do nothing. */
function keepEffects(module) {
  return {
    name: 'keep-effects',
    transform: (code, id) =>
      module.test(id.split(sep).join('/')) ? { code, map: null, moduleSideEffects: true } : null,
  };
}
