// A copy of the project in a temporary folder, to be changed and thrown away; the project itself is only read.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesOf } from './endProcessesOf.mjs';

const NOT_COPIED = new Set(['.git', '.cache', 'node_modules', 'dist', 'compiled']);

/** The copy shares the installed packages and, until it is built anew, what was built. At the end of this process it goes. */
export function copyTree(root) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-mutation-')));
  chmodSync(folder, 0o755); // Some tests run their program as another user.
  for (const name of readdirSync(root)) {
    if (!NOT_COPIED.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  linkEntries(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const built of ['dist', 'compiled'])
    if (existsSync(join(root, built))) symlinkSync(join(root, built), join(folder, built));
  forgiveUnusedNames(join(folder, 'tsconfig.json'));
  const remove = () => {
    endProcessesOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.off('exit', remove);
  };
  process.on('exit', remove);
  return { folder, remove };
}

/** Replaces the text of a mutation. Throws where the text does not stand in the file exactly once. */
export function applyChange(folder, { file, find, replace }) {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, not once: ${find}`);
  writeFileSync(path, parts.join(replace));
}

/** A folder of its own, so that what tools leave beside the packages stays in the copy. */
function linkEntries(from, to) {
  mkdirSync(to);
  for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name));
}

/** What a mutation leaves without a use is no mistake of its own. */
function forgiveUnusedNames(file) {
  const strict = readFileSync(file, 'utf8');
  writeFileSync(file, strict.replaceAll(/("noUnused\w+": )true/gu, '$1false'));
}
