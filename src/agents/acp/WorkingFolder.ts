import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Larger files are for tools, not for a message. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Where a path leads: `shown` is relative to the folder when it is in it. */
export interface Place {
  readonly file: string;
  readonly shown: string;
  readonly isInside: boolean;
}

/** A file that an agent may not have, or that is not there. */
export class FileRefusedError extends Error {
  readonly path: string;
  readonly isMissing: boolean;

  constructor(path: string, reason: string, isMissing = false) {
    super(`${path} ${reason}`);
    this.path = path;
    this.isMissing = isMissing;
  }
}

/** The files an agent may reach through us: those of one folder, whatever links say. */
export class WorkingFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where a path really leads, also one that is not there yet. */
  async locate(path: string): Promise<Place> {
    const root = await realpath(this.#folder);
    const file = await followLinks(resolve(root, path));
    const shown = relative(root, file);
    const isInside = shown === '' || (shown !== '..' && !shown.startsWith(`..${sep}`) && !isAbsolute(shown));
    return { file, isInside, shown: isInside ? shown : file };
  }

  /** Throws FileRefusedError. `line` counts from 1. */
  async readText(path: string, part: { readonly line?: number; readonly limit?: number }): Promise<string> {
    const { file } = await this.locateInside(path);
    // A pipe or a device must not hold us up, so nothing is waited for and only regular files are read.
    const handle = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      await requireRegularFile(handle, path);
      return selectLines(await handle.readFile('utf8'), part);
    } finally {
      await handle.close();
    }
  }

  /** Makes the folders on the way. Throws FileRefusedError. */
  async writeText(path: string, content: string): Promise<Place & { readonly isNew: boolean }> {
    const place = await this.locateInside(path);
    await mkdir(dirname(place.file), { recursive: true });
    const isNew = !(await exists(place.file));
    const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await openFile(place.file, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw new FileRefusedError(path, 'is not a regular file');
      await handle.truncate(0);
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    return { ...place, isNew };
  }

  /** Throws FileRefusedError. */
  async locateInside(path: string): Promise<Place> {
    const place = await this.locate(path);
    if (place.isInside) return place;
    throw new FileRefusedError(path, 'is outside the working folder');
  }
}

/** As `realpath`, but the last parts need not exist. A link that leads nowhere leads where it points. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new FileRefusedError(path, 'cannot be reached');
  }
  if (await exists(path)) throw new FileRefusedError(path, 'is a link that leads nowhere');
  return join(await followLinks(dirname(path)), basename(path));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function openFile(file: string, flags: number): Promise<FileHandle> {
  try {
    return await open(file, flags, 0o666);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FileRefusedError(file, `cannot be opened (${code})`, code === 'ENOENT');
  }
}

async function requireRegularFile(handle: FileHandle, path: string): Promise<void> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new FileRefusedError(path, 'is not a regular file');
  if (stats.size > MAX_FILE_BYTES) throw new FileRefusedError(path, `is larger than ${MAX_FILE_BYTES} bytes`);
}

function selectLines(
  text: string,
  { line, limit }: { readonly line?: number; readonly limit?: number },
): string {
  if (line === undefined && limit === undefined) return text;
  const start = Math.max(0, (line ?? 1) - 1);
  return text
    .split('\n')
    .slice(start, limit === undefined ? undefined : start + limit)
    .join('\n');
}
