import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { FileState } from '../../models/FileChange.js';
import type { BytePath } from '../bytePaths.js';
import type { ObjectFormat } from './filesLayout.js';

/**
 * Writes a tree that holds these files, as a loose object, into a folder, and tells its id. It is flat, with whole paths as
 * names: all that is ever done with it is to compare it with another, and a tree for each folder would cost ten times as much.
 */
export function writeTree(
  files: readonly (readonly [BytePath, FileState])[],
  objects: string,
  format: ObjectFormat,
): string {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const body = Buffer.concat(
    sorted.flatMap(([path, { mode, id }]) => [
      Buffer.from(`${mode} ${path}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
  const content = Buffer.concat([Buffer.from(`tree ${body.length}\0`), body]);
  const id = createHash(format).update(content).digest('hex');
  const folder = join(objects, id.slice(0, 2));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, id.slice(2)), deflateSync(content), { mode: 0o600 });
  return id;
}
