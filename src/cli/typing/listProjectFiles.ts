import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCommand } from '../../utils/findCommand.js';

const MOST_FILES = 100_000;
/** A listing that takes longer is cut off: people do not wait for a menu. */
const PATIENCE_MILLISECONDS = 5000;
const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules']);
/** Files that git knows or would add. Nothing that the repository's own configuration names is run. */
const GIT_ARGUMENTS = [
  '-c',
  'core.fsmonitor=false',
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
];

/** Lists the files below a folder, relative to it and with `/` between folders: those that git does not ignore, else all. */
export async function listProjectFiles(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const git = findCommand('git', { path: env.PATH, workingFolder: folder });
  const listed = git.kind === 'found' ? await askGit(git.file, folder, env) : undefined;
  return listed ?? (await walk(folder));
}

/** Undefined: git cannot tell, because the folder is in no repository. */
function askGit(
  git: string,
  folder: string,
  { PATH, HOME, XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    const child = spawn(git, GIT_ARGUMENTS, {
      cwd: folder,
      // No keys, and nothing that makes git look at another repository.
      env: { PATH, HOME, XDG_CONFIG_HOME },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PATIENCE_MILLISECONDS,
    });
    const paths = new Set<string>();
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const pieces = (rest + text).split('\0');
      rest = pieces.pop() ?? '';
      for (const path of pieces) if (paths.size < MOST_FILES) paths.add(path);
      if (paths.size >= MOST_FILES) child.kill();
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 || paths.size > 0 ? [...paths] : undefined));
  });
}

/** Folder by folder, so that files near the top come first. Folders that cannot be read hold nothing. */
async function walk(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [''];
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (const folder of folders) {
    if (files.length >= MOST_FILES || performance.now() > deadline) break;
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = folder + entry.name;
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) folders.push(`${path}/`);
      else if (entry.isFile() && files.length < MOST_FILES) files.push(path);
    }
  }
  return files;
}
