import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_FILE, fromText, pathBelow, readJson, stampOf, toBytes, toText, writeWhole } from '../paths.js';
import type { OwnRepository } from './ownRepository.js';
import { splitAtNull } from './readIndex.js';
import { type Git, GitError, runGit } from './runGit.js';
import type { UserRepository } from './userRepository.js';

/** Bytes are recorded as they are, whatever the attributes of the project say; and every text has its lines. */
const ATTRIBUTES = '* -text -ident -filter !eol !crlf !working-tree-encoding !merge !diff\n';

/** Folders and files that tools make again, and that nobody means to keep; also where no `.gitignore` says so. */
const NEVER_MEANT = [
  'node_modules/',
  '.venv/',
  'venv/',
  '__pycache__/',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  '.tox/',
  '.gradle/',
  '.next/',
  '.nuxt/',
  '.turbo/',
  '.parcel-cache/',
  '.terraform/',
  '.hg/',
  '.svn/',
  '.jj/',
  '.DS_Store',
  '.*.sw[a-p]',
  '.#*',
];

/** Folder at the top of the working folder in which new contents are got ready; never recorded. */
export const OWN_FOLDER = /^\.huddle-[^/]+\//u;

const CONFIG = `[core]
	repositoryFormatVersion = 1
	bare = false
	fsmonitor = false
	untrackedCache = false
	splitIndex = false
	protectNTFS = false
	protectHFS = false
	sharedRepository = 0600
	logAllRefUpdates = false
	quotePath = false
	hooksPath = /dev/null
[gc]
	auto = 0
`;

/** Writes configuration, attributes and ignore rules of our repository. What is at `ownPaths` is never recorded. */
export function writeSettings(
  repository: OwnRepository,
  settings: FolderSettings,
  ownPaths: readonly string[],
): void {
  const { gitFolder, plainFolder, user } = repository;
  const config = describeConfig(repository, settings);
  const ofUser = (name: string) => (user && readIfThere(join(user.commonFolder, 'info', name))) ?? '';
  writeWhole(join(gitFolder, 'config'), config);
  writeWhole(join(plainFolder, 'config'), config);
  writeWhole(join(gitFolder, 'info', 'attributes'), ATTRIBUTES);
  writeWhole(join(plainFolder, 'info', 'attributes'), toBytes(ofUser('attributes')));
  const own = ownPaths.flatMap((path) => pathBelow(repository.top, path) ?? []);
  const never = [
    `/${escapePattern(repository.prefix)}.huddle-*/`,
    ...own.map((path) => `/${escapePattern(fromText(path))}`),
  ];
  const rules = [...NEVER_MEANT, ofUser('exclude'), ...never, ''];
  writeWhole(join(gitFolder, 'info', 'exclude'), toBytes(rules.join('\n')));
}

function describeConfig({ format }: OwnRepository, settings: FolderSettings): string {
  const { core, ignoreFile = EMPTY_FILE, attributesFile = EMPTY_FILE } = settings;
  const paths = { excludesFile: ignoreFile, attributesFile };
  return [
    CONFIG,
    '[core]',
    ...Object.entries(core).map(([name, value]) => `\t${name} = ${value}`),
    ...Object.entries(paths).map(([name, path]) => `\t${name} = ${quoteValue(path)}`),
    '[extensions]',
    `\tobjectFormat = ${format}`,
    '',
  ].join('\n');
}

function quoteValue(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, '\\$&').replaceAll('\n', '\\n')}"`;
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/gu, '\\$&');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined; // Not there, or not for us to read: then it ignores nothing.
  }
}

/** The few settings of the user that say how files are looked at. */
interface FolderSettings {
  /** Lines for `[core]` of our configuration. */
  readonly core: Readonly<Record<string, boolean>>;
  /** Global files with ignore rules and attributes. */
  readonly ignoreFile?: string | undefined;
  readonly attributesFile?: string | undefined;
}

/** About the file system of the folder: whether it has modes and links, and how it takes names. */
const TAKEN_OVER = ['filemode', 'ignorecase', 'precomposeunicode', 'symlinks'];

interface SettingsOptions {
  readonly git: Git;
  readonly user: UserRepository | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** A file of ours that remembers what was read. */
  readonly memory: string;
  readonly signal?: AbortSignal | undefined;
}

/** Reads settings from the user's configuration files without following what they include. */
export async function readFolderSettings(options: SettingsOptions): Promise<FolderSettings> {
  const { user, env, memory } = options;
  const home = env.HOME;
  const folder = env.XDG_CONFIG_HOME || (home && join(home, '.config'));
  const globals =
    env.GIT_CONFIG_GLOBAL !== undefined
      ? [env.GIT_CONFIG_GLOBAL]
      : [folder && join(folder, 'git', 'config'), home && join(home, '.gitconfig')];
  const files = [user && join(user.commonFolder, 'config'), ...globals];
  const known = readJson<Record<string, CoreSettings>>(memory) ?? {};
  const configs = await Promise.all(files.map((file) => readConfig(file || undefined, known, options)));
  const read = Object.fromEntries(
    configs.flatMap((config) => (config ? [[config.stamp, config.values]] : [])),
  );
  if (Object.keys(read).some((stamp) => known[stamp] === undefined)) writeWhole(memory, JSON.stringify(read));
  const [ofRepository, ...ofUser] = configs.map((config) => config?.values ?? {});
  const global = Object.assign({}, ...ofUser) as CoreSettings;
  const findFile = (key: string, name: string): string | undefined => {
    const path = global[key]?.replace(/^~(?=\/)/u, home ?? '~') ?? (folder && join(folder, 'git', name));
    return path && stampOf(path) ? path : undefined;
  };
  const taken = TAKEN_OVER.flatMap((name): [string, boolean][] => {
    const value = ofRepository?.[`core.${name}`];
    return value === undefined ? [] : [[name, /^(?:|true|yes|on|[1-9]\d*)$/iu.test(value)]];
  });
  return {
    core: Object.fromEntries(taken),
    ignoreFile: findFile('core.excludesfile', 'ignore'),
    attributesFile: findFile('core.attributesfile', 'attributes'),
  };
}

/** Values of `[core]` by their keys, the last of each; a key without a value is empty. */
type CoreSettings = Readonly<Record<string, string>>;

/** Reads a file, or remembers it as it was read. Undefined: there is none. */
async function readConfig(
  file: string | undefined,
  known: Readonly<Record<string, CoreSettings>>,
  { git, signal }: SettingsOptions,
): Promise<{ readonly stamp: string; readonly values: CoreSettings } | undefined> {
  const stamp = file && stampOf(file);
  if (file === undefined || !stamp) return undefined;
  const values = known[stamp] ?? (await listCore(git, file, signal));
  return { stamp, values };
}

async function listCore(git: Git, file: string, signal: AbortSignal | undefined): Promise<CoreSettings> {
  try {
    const args = ['config', '--file', file, '--no-includes', '-z', '--list'];
    const { stdout } = await runGit(git, { args, signal });
    const entries = splitAtNull(stdout).map((line) => {
      const end = line.indexOf('\n');
      return end === -1 ? [line, ''] : [line.slice(0, end), toText(line.slice(end + 1))];
    });
    return Object.fromEntries(entries.filter(([key]) => key?.startsWith('core.')));
  } catch (error) {
    // A file that git cannot read says nothing; the platform's own settings hold.
    if (error instanceof GitError && error.reason === 'failed') return {};
    throw error;
  }
}
