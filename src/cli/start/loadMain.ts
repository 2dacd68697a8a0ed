import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';
import { ChunkLoader } from './ChunkLoader.js';
import { CODE_ARCHIVE, parseCodeArchive } from './codeArchive.js';

type Main = typeof import('../main.js');

/** The types that we compile with are those of Node 20. */
interface NewerModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** Loads the program: with the code that the build compiled, if it is for this Node, else as Node does. */
export async function loadMain(folder: string): Promise<Main> {
  const findCode = findArchive(join(folder, CODE_ARCHIVE));
  if (findCode !== undefined) return new ChunkLoader(folder, { findCode }).load<Main>('main.cjs');
  keepCompiled(process.env);
  return import('../main.js');
}

function findArchive(file: string): ReturnType<typeof parseCodeArchive> {
  try {
    return parseCodeArchive(readFileSync(file));
  } catch {
    return undefined; // The published package has none.
  }
}

/** Has Node keep what it compiles in the user's cache, which it can since 22.8. */
function keepCompiled({ XDG_CACHE_HOME = '', HOME = '' }: NodeJS.ProcessEnv): void {
  const { enableCompileCache }: NewerModule = Object(nodeModule);
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
  if (isAbsolute(caches)) enableCompileCache?.(join(caches, 'huddle', 'compiled'));
}
