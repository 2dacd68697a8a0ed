// Puts what the compiler wrote, with the packages it is made with, into the few files that are published: the command and the
// library are one build and share their chunks.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { describeLicences, LICENCES } from './describeLicences.mjs';

/** Files that are started or imported from outside, by their place in `dist`, and the module of each. */
const ENTRIES = {
  'cli/huddle': 'cli/start/huddle.js',
  'cli/serve/readingThread': 'cli/serve/readingThread.js',
  'agents/rehearsal/simulatedAgent': 'agents/rehearsal/simulatedAgent.js',
  index: 'index.js',
  'context/index': 'context/index.js',
  postgres: 'postgres.js',
};

/** Entries of the library, whose types are published. */
const LIBRARY = ['index', 'context/index', 'postgres'];

/** Files that modules find beside themselves. */
const BESIDE = ['store/postgres/migrations'];

/** Packages that others can do without, and do; and the database that is installed beside us. */
const ABSENT = ['pg-native', '@photostructure/sqlite'];

/** Packages that would bring something large that is not used: the MCP server checks no schema by itself. */
const STAND_INS = {
  '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('mcpShims.mjs', import.meta.url)),
};

/**
 * Constants of packages that take 10 to 20 ms each to make, and that most commands have no use for: by module, with the method
 * that is used of each.
 */
const LATE = {
  '@earendil-works/pi-tui/dist/utils.js': [
    ['segmenter', 'segment', 'new Intl.Segmenter(undefined, { granularity: "grapheme" })'],
    ['rgiEmojiRegex', 'test', '/^\\p{RGI_Emoji}$/v'],
  ],
};

/** What so many of the files share that are loaded on demand is one file: nearly every command needs most of it. */
const CORE_USERS = 25;

/** Stands for the way from a file of the bundle to `dist`, until the place of that file is known. */
const WAY = '__WAY_TO_DIST__';

/** Makes the files of `dist` of the compiled modules. */
export async function bundle({ distFolder, modulesFolder, sourceFolder }) {
  const { output } = await build({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, module]) => [name, join(modulesFolder, module)]),
    ),
    platform: 'node',
    external: ABSENT,
    resolve: { mainFields: ['module', 'main'], alias: STAND_INS },
    plugins: [keepPlaces(modulesFolder), makeLate()],
    // Of packages only what is used: none of them does anything by being loaded.
    treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
    preserveEntrySignatures: 'allow-extension',
    output: {
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Without blanks code is read faster; names stay, for whoever reads a stack.
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      comments: { legal: false },
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: 'core', minShareCount: CORE_USERS }],
      },
    },
    write: false,
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  for (const { fileName, code } of output) {
    const file = join(distFolder, fileName);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code.replaceAll(WAY, posix.relative(posix.dirname(fileName), '') || '.'));
  }
  writeFileSync(join(distFolder, LICENCES), describeLicences(output.flatMap(({ moduleIds }) => moduleIds)));
  for (const folder of BESIDE)
    for (const target of [distFolder, modulesFolder])
      cpSync(join(sourceFolder, folder), join(target, folder), { recursive: true });
  for (const entry of LIBRARY) copyTypes(modulesFolder, distFolder, `${entry}.d.ts`);
}

/** Modules of ours that look for a file beside themselves find it in `dist`, where they would be without the bundle. */
function keepPlaces(modulesFolder) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(modulesFolder) || !code.includes('import.meta.url')) return null;
      const place = relative(modulesFolder, id).split(sep).join(posix.sep);
      return code.replaceAll('import.meta.url', `new URL("${WAY}/${place}", import.meta.url).href`);
    },
  };
}

/** Has the constants of `LATE` made when they are first used. */
function makeLate() {
  return {
    name: 'make-late',
    transform(code, id) {
      const [, constants] =
        Object.entries(LATE).find(([module]) => id.split(sep).join('/').endsWith(module)) ?? [];
      return constants?.reduce((changed, [name, method, value]) => {
        const before = `const ${name} = ${value};`;
        if (!changed.includes(before)) throw new Error(`${id} has no ${name} as it was`);
        const made = `${name}Made`;
        const late = `let ${made}; const ${name} = { ${method}: (text) => (${made} ??= ${value}).${method}(text) };`;
        return changed.replace(before, () => late);
      }, code);
    },
  };
}

/** The types of an entry, and of whatever they are made of. */
function copyTypes(from, to, file) {
  if (existsSync(join(to, file))) return;
  mkdirSync(dirname(join(to, file)), { recursive: true });
  copyFileSync(join(from, file), join(to, file));
  const text = readFileSync(join(from, file), 'utf8');
  for (const [, name] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/gu))
    copyTypes(from, to, posix.join(posix.dirname(file), `${name}.d.ts`));
}
