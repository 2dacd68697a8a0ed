import type { BytePath } from '../bytePaths.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { GitError } from './runGit.js';

export interface UpdateIndexOptions {
  readonly index: string;
  readonly signal: AbortSignal | undefined;
  /** Hears how many files were read. */
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** Files that git cannot read, up to which the others count. More, and something else is wrong. */
const MOST_UNREADABLE = 20;
/** A file may change while git reads it. */
const TRIES = 3;

/** Reads files into an index, contents into our objects. Tells which ones git cannot read. */
export async function addFiles(
  repository: OwnRepository,
  paths: readonly BytePath[],
  options: UpdateIndexOptions,
): Promise<readonly BytePath[]> {
  const failed: BytePath[] = [];
  const add = async (some: readonly BytePath[], tries = 1): Promise<void> => {
    try {
      await updateIndex(repository, some, options);
    } catch (error) {
      const isAboutFile =
        error instanceof GitError &&
        error.reason === 'failed' &&
        /unable to process path/iu.test(error.detail);
      if (!isAboutFile || failed.length > MOST_UNREADABLE) throw error;
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2);
        await add(some.slice(0, middle));
        await add(some.slice(middle));
      } else if (tries < TRIES) await add(some, tries + 1);
      else failed.push(...some);
    }
  };
  await add(paths);
  return failed;
}

async function updateIndex(
  repository: OwnRepository,
  paths: readonly BytePath[],
  { index, signal, onProgress }: UpdateIndexOptions,
): Promise<void> {
  if (paths.length === 0) return;
  let files = 0;
  const count = (chunk: Buffer) => {
    for (const byte of chunk) if (byte === LINE_FEED) files += 1;
    onProgress?.(files);
  };
  await runInOwn(repository, {
    args: [
      ...['update-index', '-z', '--add', '--remove', '--replace'],
      ...(onProgress ? ['--verbose', '--stdin'] : ['--stdin']),
    ],
    input: paths.map((path) => `${path}\0`).join(''),
    index,
    signal,
    ...(onProgress && { onOutput: count }),
  });
}

const LINE_FEED = 10;
