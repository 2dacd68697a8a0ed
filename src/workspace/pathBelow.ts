import { relative, sep } from 'node:path';

/** A path from a folder, if it lies below it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below === '..' || below.startsWith(`..${sep}`) ? undefined : below;
}
