import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toText } from '../bytePaths.js';
import { splitAtNull } from './readRaw.js';
import { type Git, GitError, runGit } from './runGit.js';
import type { UserRepository } from './userRepository.js';

/** The few settings of the user that say how files are looked at. */
export interface FolderSettings {
  /** Lines for `[core]` of our configuration. */
  readonly core: Readonly<Record<string, boolean>>;
  /** Global files with ignore rules and attributes. */
  readonly ignoreFile?: string;
  readonly attributesFile?: string;
}

/** About the file system of the folder: whether it has modes and links, and how it takes names. */
const TAKEN_OVER = ['filemode', 'ignorecase', 'precomposeunicode', 'symlinks'];

/** Reads settings from the user's configuration files without following what they include. */
export async function readFolderSettings(
  git: Git,
  user: UserRepository | undefined,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<FolderSettings> {
  const home = env.HOME;
  const folder = env.XDG_CONFIG_HOME || (home && join(home, '.config'));
  const globals =
    env.GIT_CONFIG_GLOBAL !== undefined
      ? [env.GIT_CONFIG_GLOBAL]
      : [folder && join(folder, 'git', 'config'), home && join(home, '.gitconfig')];
  const [ofRepository, ...ofUser] = await Promise.all(
    [user && join(user.commonFolder, 'config'), ...globals].map((file) => readConfig(git, file, signal)),
  );
  const global = new Map(ofUser.flatMap((config) => [...config]));
  const findFile = (key: string, name: string): string | undefined => {
    const path = global.get(key)?.replace(/^~(?=\/)/u, home ?? '~') ?? (folder && join(folder, 'git', name));
    return path && isRegular(path) ? path : undefined;
  };
  const ignoreFile = findFile('core.excludesfile', 'ignore');
  const attributesFile = findFile('core.attributesfile', 'attributes');
  const taken = TAKEN_OVER.flatMap((name): [string, boolean][] => {
    const value = ofRepository?.get(`core.${name}`);
    return value === undefined ? [] : [[name, /^(?:|true|yes|on|[1-9]\d*)$/iu.test(value)]];
  });
  return {
    core: Object.fromEntries(taken),
    ...(ignoreFile && { ignoreFile }),
    ...(attributesFile && { attributesFile }),
  };
}

/** Whether it can be read: git would wait for a pipe without end. */
function isRegular(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** Values by their keys, the last of each; a key without a value is true. */
async function readConfig(
  git: Git,
  file: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (!file || !isRegular(file)) return new Map();
  try {
    const args = ['config', '--file', file, '--no-includes', '-z', '--list'];
    const { stdout } = await runGit(git, { args, signal });
    return new Map(
      splitAtNull(stdout).map((line) => {
        const end = line.indexOf('\n');
        return end === -1 ? [line, ''] : [line.slice(0, end), toText(line.slice(end + 1))];
      }),
    );
  } catch (error) {
    // A file that git cannot read says nothing; the platform's own settings hold.
    if (error instanceof GitError && error.reason === 'failed') return new Map();
    throw error;
  }
}
