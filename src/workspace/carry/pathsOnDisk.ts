import { type BytePath, toBytes } from '../bytePaths.js';

/** The place of a path on the disk, as the system takes it. */
export function onDisk(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), toBytes(path)]);
}

/** The folders in which a path lies, from the top down. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
