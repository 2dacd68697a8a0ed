import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { EMPTY_FILE, type ObjectFormat } from '../paths.js';
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

/** A pipe, a device or a socket in the place of a file that git reads: it could wait for it without end. */
export class IrregularFileError extends Error {
  override readonly name = 'IrregularFileError';

  constructor(
    /** From the folder that is looked at. */
    readonly path: string,
  ) {
    super(`${path} is not a regular file`);
  }
}

/** Files in a folder of the project that git reads wherever they are; it follows no links there. */
const IN_FOLDERS = ['.gitignore', '.gitattributes'];
/** Files at the top that we read ourselves. */
const AT_TOP = ['.worktreeinclude'];
/** Files of a repository that every question reads. */
const IN_REPOSITORY = [
  ...['HEAD', 'config', 'config.worktree', 'commondir', 'index', 'packed-refs', 'shallow'],
  ...['info/exclude', 'info/attributes', 'info/sparse-checkout', 'objects/info/alternates'],
];
/** A git that ends sooner waits for nothing. */
const PATIENCE_MILLISECONDS = 250;
/** Folders that hold no files of the project. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Throws IrregularFileError if one of the few files that every look reads is none. Nothing is opened but what was found regular. */
function requireRegularFiles(folder: string): void {
  for (const name of AT_TOP) requireRegular(folder, join(folder, name), lstatSync);
  for (let place = folder; ; place = dirname(place)) {
    for (const name of IN_FOLDERS) requireRegular(folder, join(place, name), lstatSync);
    const git = join(place, '.git');
    requireRegular(folder, git, statSync);
    const found = statSync(git, { throwIfNoEntry: false });
    const gitFolder = found?.isFile() ? readPointer(git) : git;
    if (found !== undefined) requireRegularRepository(folder, gitFolder);
    if (found !== undefined || dirname(place) === place) return;
  }
}

/**
 * Does something that asks git about a folder. If that takes long, what git could wait for is looked for in all its folders, and
 * the work is stopped when it is found. Rejects with IrregularFileError.
 */
export async function amongRegularFiles<Value>(
  folder: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  requireRegularFiles(folder);
  const [found, over] = [new AbortController(), new AbortController()];
  const search = findIrregular(folder, over.signal).then((irregular) => {
    if (irregular !== undefined) found.abort(irregular);
  });
  try {
    return await work(signal === undefined ? found.signal : AbortSignal.any([found.signal, signal]));
  } catch (error) {
    throw found.signal.aborted ? found.signal.reason : error;
  } finally {
    over.abort();
    await search;
  }
}

async function findIrregular(folder: string, signal: AbortSignal): Promise<IrregularFileError | undefined> {
  const isOver = await delay(PATIENCE_MILLISECONDS, false, { signal, ref: false }).catch(() => true);
  const folders = isOver ? [] : [folder];
  for (let place = folders.pop(); place !== undefined && !signal.aborted; place = folders.pop()) {
    // A folder that cannot be listed is none that git looks into.
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) folders.push(path);
      const isRead = IN_FOLDERS.includes(entry.name) && !(entry.isFile() || entry.isDirectory());
      if (isRead && !entry.isSymbolicLink()) return new IrregularFileError(relative(folder, path));
    }
    await setImmediate();
  }
  return undefined;
}

function requireRegularRepository(folder: string, gitFolder: string): void {
  for (const name of IN_REPOSITORY) requireRegular(folder, join(gitFolder, name), statSync);
  const common = join(gitFolder, 'commondir');
  if (!statSync(common, { throwIfNoEntry: false })?.isFile()) return;
  const shared = resolve(gitFolder, readFileSync(common, 'utf8').trim());
  for (const name of IN_REPOSITORY) requireRegular(folder, join(shared, name), statSync);
}

/** The folder that the file `.git` of a worktree names. */
function readPointer(file: string): string {
  return resolve(
    dirname(file),
    readFileSync(file, 'utf8')
      .replace(/^gitdir: /u, '')
      .trim(),
  );
}

type Look = (path: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined;

function requireRegular(folder: string, path: string, look: Look): void {
  const found = lookAt(path, look);
  if (found === undefined || found.isFile() || found.isDirectory() || found.isSymbolicLink()) return;
  if (found.isCharacterDevice() && found.rdev === lookAt('/dev/null', statSync)?.rdev) return;
  throw new IrregularFileError(relative(folder, path));
}

/** Undefined also for what cannot be reached: git cannot reach it, either. */
function lookAt(path: string, look: Look): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
