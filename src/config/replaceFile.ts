import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** All or nothing: readers see the old text or the new one, also after a crash. A mode that is given holds whatever the umask. */
export async function replaceFile(file: string, text: string, mode?: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      if (mode !== undefined) await handle.chmod(mode);
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
