import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflateSync, inflate, inflateSync } from 'node:zlib';
import { InvalidOptionError } from '../../models/errors.js';
import type { ObjectFormat } from '../paths.js';

/**
 * Objects of git in files of their own, as all of ours are: they are read and written here, since a git for it takes longer to
 * start than the work takes. Each file is compressed, and holds kind, length and content.
 */
interface ObjectsFolder {
  readonly objects: string;
  readonly format: ObjectFormat;
}

/** Bytes of a file that surely hold kind and length. */
const HEAD_BYTES = 128;
const HEAD = /^blob (\d+)\0/u;
/** Length up to which unpacking keeps nobody waiting. */
const UNPACKED_AT_ONCE = 256 * 1024;
/** As git itself does. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };

/** The place of an object. Ids come from logs, and logs are imported: one that is no hash has none. */
export function looseFile(objects: string, id: string): string {
  if (!/^[0-9a-f]{40,64}$/u.test(id)) throw new InvalidOptionError('id', id, 'a hash');
  return join(objects, id.slice(0, 2), id.slice(2));
}

/** Whether there is such a content: the file may be empty after the machine went down. */
export function isLooseContent(objects: string, id: string): boolean {
  try {
    const descriptor = openSync(looseFile(objects, id), 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const length = readSync(descriptor, head);
      // The rest of the file is not there to be read.
      const options = { finishFlush: constants.Z_SYNC_FLUSH };
      return HEAD.test(inflateSync(head.subarray(0, length), options).toString('latin1', 0, HEAD_BYTES));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false; // Not there, or damaged.
  }
}

/** Reads a content, and rejects unless it is the very one of this id. */
export async function readLooseContent({ objects, format }: ObjectsFolder, id: string): Promise<Buffer> {
  const packed = readFileSync(looseFile(objects, id));
  const bytes: Buffer =
    packed.length <= UNPACKED_AT_ONCE ? inflateSync(packed) : await promisify(inflate)(packed);
  if (createHash(format).update(bytes).digest('hex') !== id)
    throw new Error(`the kept content ${id} is damaged`);
  return bytes.subarray(bytes.indexOf(0) + 1);
}

/** Writes an object so that another process never sees half of it, and tells its id. One that is there already counts as new. */
export function writeLoose(
  { objects, format }: ObjectsFolder,
  kind: 'blob' | 'tree',
  content: Buffer,
): string {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash(format).update(bytes).digest('hex');
  const file = looseFile(objects, id);
  if (existsSync(file)) {
    utimesSync(file, new Date(), new Date());
    return id;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Named as git names its own drafts, so that one of a process that was killed is removed with them.
  const draft = join(dirname(file), `tmp_obj_${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(draft, deflateSync(bytes, COMPRESSION), { mode: 0o400, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return id;
}

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
