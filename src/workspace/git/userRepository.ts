import { join } from 'node:path';
import { EMPTY_FILE, type ObjectFormat } from './filesLayout.js';
import { requireRegularFiles } from './irregularFiles.js';
import { type Git, GitError, runGit } from './runGit.js';

/** The user's repository around a folder. It is only read. */
export interface UserRepository {
  /** The folder that it is checked out in. */
  readonly top: string;
  /** Its own part: HEAD, index. */
  readonly gitFolder: string;
  /** The part that worktrees share: objects, refs, config, hooks. */
  readonly commonFolder: string;
  readonly format: ObjectFormat;
}

/** Settings that keep a question about a repository from running anything in it, whoever owns it. */
export const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${EMPTY_FILE}`] as const;

/** Finds the repository that a folder belongs to; one that does not contain the folder is none. Rejects with IrregularFileError. */
export async function findUserRepository(
  git: Git,
  folder: string,
  globalConfig: string,
  signal?: AbortSignal,
): Promise<UserRepository | undefined> {
  requireRegularFiles(folder);
  // The format between the paths, which may hold line breaks, tells where each one ends.
  const questions = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const args = questions.flatMap((question) => [question, '--show-object-format']);
  try {
    const { stdout } = await runGit(git, {
      args: [...HARMLESS, 'rev-parse', '--path-format=absolute', ...args],
      cwd: folder,
      env: { GIT_CONFIG_GLOBAL: globalConfig },
      signal,
    });
    const text = Buffer.from(stdout, 'latin1').toString('utf8');
    const [, top, gitFolder, commonFolder, format] =
      /^(.*?)\nsha\d+\n(.*?)\nsha\d+\n(.*?)\n(sha1|sha256)\n$/su.exec(text) ?? [];
    if (top === undefined || gitFolder === undefined || commonFolder === undefined) return undefined;
    if (folder !== top && !folder.startsWith(join(top, '/'))) return undefined;
    return { top, gitFolder, commonFolder, format: format === 'sha256' ? 'sha256' : 'sha1' };
  } catch (error) {
    // No repository, or one that git itself refuses: the files are recorded as those of a plain folder.
    if (error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
}
