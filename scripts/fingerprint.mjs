// What the last build was made from: path, size and time of every source file, kept in `dist/.stamp`.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const inputs = [
  'src',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/bundlePage.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

export function buildIsFresh(root) {
  const stamp = join(root, 'dist', '.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root);
}

export function markBuilt(root, builtFrom) {
  writeFileSync(join(root, 'dist', '.stamp'), builtFrom);
}

export function fingerprint(root) {
  return inputs.flatMap((input) => describe(join(root, input))).join('\n');
}

function describe(path) {
  const status = statSync(path);
  if (status.isDirectory())
    return readdirSync(path)
      .sort()
      .flatMap((name) => describe(join(path, name)));
  return [`${path} ${status.size} ${status.mtimeMs}`];
}
