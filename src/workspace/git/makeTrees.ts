import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { FileState } from '../../models/FileChange.js';
import type { BytePath } from '../bytePaths.js';
import type { ObjectFormat } from './filesLayout.js';

type Branch = Map<string, Branch | FileState>;

/** Writes the trees that hold these files as loose objects into a folder, and tells the id of the top one. */
export function writeTrees(
  files: ReadonlyMap<BytePath, FileState>,
  objects: string,
  format: ObjectFormat,
): string {
  const top: Branch = new Map();
  for (const [path, state] of files) {
    const names = path.split('/');
    const last = names.pop() ?? '';
    let branch = top;
    for (const name of names) {
      const next = branch.get(name);
      const below: Branch = next instanceof Map ? next : new Map();
      branch.set(name, below);
      branch = below;
    }
    if (!branch.has(last)) branch.set(last, state);
  }
  return writeTree(top, objects, format);
}

function writeTree(branch: Branch, objects: string, format: ObjectFormat): string {
  const entries = [...branch].map(([name, below]) => {
    const isFolder = below instanceof Map;
    const mode = isFolder ? '40000' : below.mode;
    const id = isFolder ? writeTree(below, objects, format) : below.id;
    // Git sorts a folder as if its name ended with a slash.
    return { order: isFolder ? `${name}/` : name, head: `${mode} ${name}\0`, id };
  });
  entries.sort((one, other) => (one.order < other.order ? -1 : 1));
  const body = Buffer.concat(
    entries.flatMap(({ head, id }) => [Buffer.from(head, 'latin1'), Buffer.from(id, 'hex')]),
  );
  const content = Buffer.concat([Buffer.from(`tree ${body.length}\0`), body]);
  const id = createHash(format).update(content).digest('hex');
  const folder = join(objects, id.slice(0, 2));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, id.slice(2)), deflateSync(content), { mode: 0o600 });
  return id;
}
