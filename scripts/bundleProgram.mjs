// Puts the program into a few files, with the packages it is made with: what is typed most often then loads one or two
// of them, and users install nothing of the terminal front end.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { describeLicences, LICENCES } from './describeLicences.mjs';

/** What stays as the compiler wrote it: it is no module of the bundle. */
const KEPT = /^help\.[\w-]+\.txt$|\.d\.ts$/;

/** Without blanks code is read faster; names stay, for whoever reads a stack. */
export const MINIFY = { compress: true, mangle: false, codegen: { removeWhitespace: true } };

/** Packages that others can do without, and do. */
export const ABSENT = ['pg-native'];

/** The folder of the thread that reads conversations: with chunks of its own, so that those of the program stay as they are. */
const THREAD = 'reading';

/** Packages that would bring something large that is not used: the MCP server checks no schema by itself. */
export const STAND_INS = {
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

/** Works on what the compiler wrote, and puts the bundle in the place of `dist/cli/`; the library stays beside it. */
export async function bundleProgram(distFolder) {
  const folder = join(distFolder, 'cli');
  const terminalFolder = join(distFolder, 'frontends', 'tui');
  const threadFolder = join(folder, THREAD);
  const program = await bundleModules(distFolder, folder, {
    huddle: join(folder, 'start', 'huddle.js'),
    main: join(folder, 'main.js'),
    runTerminal: join(terminalFolder, 'runTerminal.js'),
  });
  const thread = await bundleModules(distFolder, threadFolder, {
    readingThread: join(folder, 'serve', 'readingThread.js'),
  });
  for (const name of readdirSync(folder))
    if (!KEPT.test(name)) rmSync(join(folder, name), { recursive: true });
  // The library has no front end.
  rmSync(join(distFolder, 'frontends'), { recursive: true });
  mkdirSync(threadFolder);
  for (const { fileName, code } of program) writeFileSync(join(folder, fileName), code);
  for (const { fileName, code } of thread) writeFileSync(join(threadFolder, fileName), code);
  const modules = [...program, ...thread].flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(folder, LICENCES), describeLicences(modules));
}

/** Bundles some entries and what they load, for one folder. */
async function bundleModules(distFolder, folder, input) {
  const { output } = await build({
    input,
    platform: 'node',
    external: ABSENT,
    resolve: { mainFields: ['module', 'main'], alias: STAND_INS },
    plugins: [keepPlaces(distFolder, folder), makeLate()],
    // Of packages only what is used: none of them does anything by being loaded.
    treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
    output: {
      // CommonJS is loaded faster, above all in many small files.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      minify: MINIFY,
      comments: { legal: false },
    },
    write: false,
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  return output;
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

/** Modules of ours that look for a file beside themselves still find it from the folder of the bundle. */
function keepPlaces(distFolder, bundleFolder) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(distFolder) || !code.includes('import.meta.url')) return null;
      const place = relative(bundleFolder, id).split(sep).join(posix.sep);
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
}
