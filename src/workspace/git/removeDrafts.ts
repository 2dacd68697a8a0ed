import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Age from which no git that is alive still writes a draft. */
const OLD_MS = 60 * 60 * 1000;

/**
 * Removes drafts of contents that gits which were killed have left among our objects. `isFull`: the disk is, so that no git can
 * finish one that it has begun.
 */
export async function removeDrafts(objects: string, { isFull = false } = {}): Promise<void> {
  const now = Date.now();
  for (const folder of ['', ...(await listNames(objects))]) {
    for (const name of await listNames(join(objects, folder))) {
      if (!name.startsWith('tmp_obj_')) continue;
      const path = join(objects, folder, name);
      const age = now - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now);
      if (isFull || age > OLD_MS) await rm(path, { force: true });
    }
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // No folder, so nothing is left in it.
  }
}
