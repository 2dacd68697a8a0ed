import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Workspace } from '../../files/Workspace.js';
import type { CliContext } from '../start/CliContext.js';

/** Words typed after `huddle diff` and the like: `4 -- src/a.ts`. */
export interface TypedChoice {
  readonly what?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** Paths as they were typed in this folder, relative to the folder of a session; undefined if none were. */
export function pathsInSession(
  paths: readonly string[] = [],
  folder: string,
  { workingFolder }: CliContext,
): readonly string[] | undefined {
  const [from, to] = [resolveLinks(workingFolder), resolveLinks(folder)];
  if (paths.length === 0) return undefined;
  return paths.map((path) => relative(to, resolve(from, path)).split(sep).join('/'));
}

/** The path from the top of the repository to a folder in it, with a slash at its end; empty at the top and without a repository. */
export function prefixInRepository(folder: string): string {
  const real = resolveLinks(folder);
  for (let top = real; ; top = dirname(top)) {
    if (existsSync(join(top, '.git')))
      return top === real ? '' : `${relative(top, real).split(sep).join('/')}/`;
    if (dirname(top) === top) return '';
  }
}

/** The files of a session on this machine; undefined if its folder is gone or nothing was ever kept. */
export async function openFiles(
  conversationId: string,
  folder: string,
  { dataFolder, env }: CliContext,
): Promise<Workspace | undefined> {
  if (!existsSync(folder) || !existsSync(join(dataFolder, 'files'))) return undefined;
  const { openWorkspace } = await import('../../files/openWorkspace.js');
  return openWorkspace({ folder, dataFolder, conversationId, env });
}

function resolveLinks(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // It is gone; its name is all there is.
    return resolve(folder);
  }
}
