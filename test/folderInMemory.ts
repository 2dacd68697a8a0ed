import { existsSync, readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
const ROOM = 2 ** 32;

/**
 * A folder for temporary files that no disk has to take, where the machine has one with room in which programs may be started.
 * What tests write is read back at once and thrown away; no test is about a disk.
 */
export function findFolderInMemory(): string | undefined {
  if (!existsSync(FOLDER) || !existsSync('/proc/self/mounts')) return undefined;
  const mount = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === FOLDER);
  if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return undefined;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < ROOM ? undefined : FOLDER;
}
