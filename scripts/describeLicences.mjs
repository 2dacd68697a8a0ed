import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The file beside a bundle that names what is in it. */
export const LICENCES = 'LICENCES.txt';

/** The licences of the packages these modules are from. */
export function describeLicences(modules) {
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
