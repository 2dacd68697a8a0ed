import type { FileState } from '../../models/FileChange.js';
import type { BytePath } from '../bytePaths.js';
import type { ObjectFormat } from './filesLayout.js';
import { writeLoose } from './looseObjects.js';

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
  return writeLoose({ objects, format }, 'tree', body);
}
