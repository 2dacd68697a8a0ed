import { constants } from 'node:fs';
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { statOf } from '../carry/lookAtPaths.js';
import { type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { splitAtNull } from '../git/readIndex.js';
import { type BytePath, foldersAbove, fromText, onDisk, pathBelow, toBytes } from '../paths.js';

/** File that names ignored files which a copy needs all the same; the convention of several agents. */
const INCLUDE_FILE = '.worktreeinclude';

export interface UnrecordedPlaces {
  /** The folder that is copied. */
  readonly source: OwnRepository;
  /** Top of the copy. */
  readonly copy: string;
  readonly dataFolder: string;
}

/** Lists files that no index has: those that were too large to keep, and ignored ones that the folder's `.worktreeinclude` names. */
export async function listUnrecordedFiles(source: OwnRepository): Promise<readonly BytePath[]> {
  const { top } = source;
  const hasIncludes = statOf(top, INCLUDE_FILE)?.isFile() === true;
  const included = ['--ignored', `--exclude-from=${join(top, INCLUDE_FILE)}`];
  const lists = [['--exclude-standard'], ...(hasIncludes ? [included] : [])];
  return (await Promise.all(lists.map((options) => listOthers(source, options)))).flat();
}

/** Copies such files. Nothing in the copy leads back into the folder. Resolves with the number of those that it needed. */
export async function copyUnrecordedFiles(
  paths: readonly BytePath[],
  { source, copy, dataFolder }: UnrecordedPlaces,
): Promise<number> {
  const { top } = source;
  const own = pathBelow(top, dataFolder);
  const isOwn = (path: BytePath): boolean => own !== undefined && path.startsWith(`${fromText(own)}/`);
  let copied = 0;
  for (const path of paths) {
    // A repository nested in the folder is named with a slash at its end.
    if (path.endsWith('/') || isOwn(path) || statOf(copy, path) !== undefined) continue;
    for (const above of foldersAbove(path)) await mkdir(onDisk(copy, above)).catch(ignoreExisting);
    await copyEntry(top, copy, path);
    copied += 1;
  }
  return copied;
}

async function listOthers(source: OwnRepository, options: readonly string[]): Promise<readonly BytePath[]> {
  const { stdout } = await runInOwn(source, { args: ['ls-files', '-z', '--others', ...options] });
  return splitAtNull(stdout);
}

async function copyEntry(top: string, copy: string, path: BytePath): Promise<void> {
  const [from, to] = [onDisk(top, path), onDisk(copy, path)];
  const stats = statOf(top, path);
  if (stats?.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
  if (!stats?.isSymbolicLink()) return;
  const target = (await readlink(from, { encoding: 'buffer' })).toString('latin1');
  const inside = fromText(`${top}/`);
  const isInside = target.startsWith(inside);
  await symlink(toBytes(isInside ? `${fromText(copy)}/${target.slice(inside.length)}` : target), to);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
