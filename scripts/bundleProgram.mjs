// Puts the program into a few files, with the packages it is made with: what is typed most often then loads one or two
// of them, and users install nothing of the terminal front end.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, relative, sep } from 'node:path';
import { build } from 'rolldown';

/** What stays as the compiler wrote it: it is no module of the bundle. */
const KEPT = /^huddle\.|^help\.txt$|\.d\.c?ts$/;
const LICENCES = 'LICENCES.txt';

/** The module that is there first, and what becomes of it: CommonJS, which loads faster. */
const EARLY = { module: 'EarlyTerminal.js', file: 'EarlyTerminal.cjs' };

/** Works on what the compiler wrote, and puts the bundle in the place of `dist/cli/`; the library stays beside it. */
export async function bundleProgram(distFolder) {
  const folder = join(distFolder, 'cli');
  const terminalFolder = join(distFolder, 'frontends', 'tui');
  const output = [
    ...(await bundle(join(terminalFolder, EARLY.module), { format: 'cjs', entryFileNames: EARLY.file })),
    ...(await bundle(
      { main: join(folder, 'main.js'), runTerminal: join(terminalFolder, 'runTerminal.js') },
      {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      },
      [useEarly, keepPlaces(distFolder, folder)],
    )),
  ];
  for (const name of readdirSync(folder))
    if (!KEPT.test(name)) rmSync(join(folder, name), { recursive: true });
  rmSync(terminalFolder, { recursive: true });
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
  const modules = output.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(folder, LICENCES), describeLicences(modules));
}

async function bundle(input, shape, plugins = []) {
  const { output } = await build({
    input,
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    plugins: [deferWork, ...plugins],
    // Of packages only what is used: none of them does anything by being loaded.
    treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
    output: {
      ...shape,
      // Without blanks it is read faster; names stay, for whoever reads a stack.
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      comments: { legal: false },
    },
    write: false,
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  return output;
}

/** What is there already is not loaded a second time; asked for so, Node does not look through it for its exports either. */
const useEarly = {
  name: 'use-early',
  load: (id) =>
    id.endsWith(`/${EARLY.module}`)
      ? `import { createRequire } from 'node:module';
export const { EarlyTerminal } = createRequire(import.meta.url)('../../cli/${EARLY.file}');`
      : null,
};

/** What pi-tui makes and the first screen does not need: patterns and tables of all of Unicode, a third of the start. */
const DEFERRED = [
  {
    eager: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    deferred: `let emojiPattern;
const rgiEmojiRegex = { test: (text) => (emojiPattern ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };`,
  },
  {
    eager: 'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
    // Latin text, box drawing and our own few signs: every character is a grapheme of its own.
    deferred: `let fullSegmenter;
const plainCharacters = /^[ -~·‐-—‘-”•…›→─-╿●✓✗]*$/;
const segmenter = {
  segment: (input) => plainCharacters.test(input)
    ? Array.from(input, (segment, index) => ({ segment, index, input }))
    : (fullSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(input),
};`,
  },
  {
    eager: '    // Calculate width\n',
    deferred: '    if (plainCharacters.test(clean)) return clean.length;\n',
  },
];

const deferWork = {
  name: 'defer-work',
  transform(code, id) {
    if (!id.includes('/pi-tui/dist/utils.js')) return null;
    return DEFERRED.reduce((changed, { eager, deferred }) => {
      if (!changed.includes(eager)) throw new Error(`pi-tui no longer has: ${eager}`);
      return changed.replace(eager, () => deferred);
    }, code);
  },
};

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

function describeLicences(modules) {
  const packages = new Set(modules.map(packageFolder).filter((path) => path !== undefined));
  return [...packages].sort().map(describeLicence).join('\n\n');
}

function packageFolder(module) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
}

function describeLicence(folder) {
  const { name, version, license, author } = createRequire(import.meta.url)(join(folder, 'package.json'));
  const file = ['LICENSE', 'license', 'LICENSE.md', 'license.md']
    .map((each) => join(folder, each))
    .find((each) => existsSync(each));
  const text =
    file === undefined ? `By ${author?.name ?? author ?? name}.` : readFileSync(file, 'utf8').trim();
  return `${name} ${version} (${license})\n${text}`;
}
