import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

/** A number from 0 up to a limit, the same ones for the same seed. */
export type Random = (limit: number) => number;

/** Mulberry32: enough to choose with, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed * 0x9e3779b9;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const NAMES = ['a.txt', 'b', 'c d', 'new\nline', 'quo"te', '😀.md', ':(top)', '-x', '\xe9'].map((name) =>
  Buffer.from(name, name === '\xe9' ? 'latin1' : 'utf8').toString('latin1'),
);
const FOLDERS = ['', 'sub/', 'b/', 'sub/deep/'];

/** Writes, changes, removes, renames and turns into something else, a few times. */
export function playRandomTurn(folder: string, random: Random): void {
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
  const text = (): string => Array.from({ length: random(12) }, () => `line ${random(5)}\n`).join('');
  for (let count = 1 + random(6); count > 0; count -= 1) {
    const parent = pick(FOLDERS);
    const place = makePlace(folder, parent, pick(NAMES));
    if (place === undefined) continue;
    const kind = kindOf(place);
    const action = random(8);
    if (action === 0 && kind !== undefined) rmSync(place, { recursive: true });
    else if (action === 1) replace(place, () => symlinkSync(pick(['a.txt', 'nowhere', '/tmp', '..']), place));
    else if (action === 2) replace(place, () => mkdirSync(place));
    else if (action === 3 && kind === 'file') chmodSync(place, pick([0o644, 0o755, 0o600]));
    else if (action === 4 && kind !== undefined) {
      const target = makePlace(folder, parent, pick(NAMES));
      if (target !== undefined && kindOf(target) === undefined) renameSync(place, target);
    } else if (kind === 'file' && action === 5) {
      writeFileSync(place, `${readFileSync(place, 'latin1')}${text()}`, 'latin1');
    } else if (kind !== 'folder') {
      const content = random(6) === 0 ? Buffer.from([0, random(256), 255]) : text();
      replace(place, () => writeFileSync(place, content));
    }
  }
}

function replace(place: Buffer, make: () => void): void {
  rmSync(place, { recursive: true, force: true });
  make();
}

/** Undefined: something else is in the way. */
function makePlace(folder: string, parent: string, name: string): Buffer | undefined {
  let above = '';
  for (const part of parent.split('/').filter((one) => one !== '')) {
    above += `/${part}`;
    const kind = kindOf(Buffer.from(folder + above));
    if (kind === undefined) mkdirSync(folder + above);
    else if (kind !== 'folder') return undefined;
  }
  return Buffer.concat([Buffer.from(`${folder}/${parent}`), Buffer.from(name, 'latin1')]);
}

function kindOf(place: Buffer): 'file' | 'link' | 'folder' | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return 'link';
  return stats.isDirectory() ? 'folder' : 'file';
}

/** Every file and link below a folder but those of git: rights to execute, and the very bytes. */
export function readFiles(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (below: Buffer, name: string): void => {
    for (const entry of readdirSync(below, { encoding: 'buffer' })) {
      const place = Buffer.concat([below, Buffer.from('/'), entry]);
      const path = `${name}${entry.toString('latin1')}`;
      const stats = lstatSync(place);
      if (path === '.git') continue;
      if (stats.isDirectory()) walk(place, `${path}/`);
      else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(place, { encoding: 'latin1' })}`;
      else
        found[path] = `${(stats.mode & 0o100) === 0 ? 'file' : 'program'} ${readFileSync(place, 'latin1')}`;
    }
  };
  walk(Buffer.from(folder), '');
  return found;
}
