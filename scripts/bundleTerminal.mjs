// Puts the terminal front end and the packages it is made with into one file, so that `dist/` needs none of them.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { build } from 'rolldown';

const ENTRY = 'runTerminal.js';
const LICENCES = 'LICENCES.txt';

/** Works on what the compiler wrote: paths to the rest of `dist/` stay as they are, and so do its modules. */
export async function bundleTerminal(distFolder) {
  const folder = join(distFolder, 'frontends', 'tui');
  const bundled = join(folder, `bundled-${ENTRY}`);
  const { output } = await build({
    input: join(folder, ENTRY),
    platform: 'node',
    plugins: [deferEmojiPattern],
    external: (id, importer) => id.startsWith('node:') || leavesFolder(id, importer, folder),
    output: { file: bundled, format: 'esm', minify: 'dce-only', comments: { legal: false } },
    logLevel: 'warn',
  });
  for (const name of readdirSync(folder))
    if (name !== basename(bundled)) rmSync(join(folder, name), { recursive: true });
  renameSync(bundled, join(folder, ENTRY));
  writeFileSync(
    join(folder, LICENCES),
    describeLicences(output[0].moduleIds ?? Object.keys(output[0].modules)),
  );
}

/** Compiling this one pattern takes a fifth of the start; most screens never need it. */
const deferEmojiPattern = {
  name: 'defer-emoji-pattern',
  transform(code, id) {
    if (!id.includes('/pi-tui/dist/utils.js')) return null;
    const eager = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;';
    if (!code.includes(eager)) throw new Error('pi-tui no longer has the emoji pattern where it was');
    return code.replace(
      eager,
      () =>
        "let emojiPattern; const rgiEmojiRegex = { test: (text) => (emojiPattern ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };",
    );
  },
};

/** Our own modules outside the folder are shared with the rest of the program, not copied. */
function leavesFolder(id, importer, folder) {
  if (!id.startsWith('.') || !importer?.startsWith(folder + sep)) return false;
  return !join(dirname(importer), id).startsWith(folder + sep);
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
