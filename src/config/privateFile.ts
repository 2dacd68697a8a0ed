import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import type { Logger } from '../utils/logger.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Makes a folder only its owner can enter, whatever the umask; an existing one is closed to others, with a notice. */
export async function preparePrivateFolder(folder: string, logger?: Logger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await tighten(folder, FOLDER_MODE, logger);
}

/** The text of a private file, or undefined when there is none. */
export async function readPrivateFile(file: string, logger?: Logger): Promise<string | undefined> {
  try {
    await tighten(file, FILE_MODE, logger);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All or nothing: readers see the old text or the new one, also after a crash. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', FILE_MODE);
    try {
      await handle.chmod(FILE_MODE);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function tighten(path: string, mode: number, logger?: Logger): Promise<void> {
  const before = (await stat(path)).mode & 0o777;
  const after = before & mode;
  if (after === before) return;
  await chmod(path, after);
  logger?.warn?.(`${path} had mode ${before.toString(8)}; now ${after.toString(8)}`);
}
