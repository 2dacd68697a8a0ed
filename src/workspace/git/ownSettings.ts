import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromText, toBytes } from '../bytePaths.js';
import { pathBelow } from '../pathBelow.js';
import { EMPTY_FILE } from './filesLayout.js';
import type { FolderSettings } from './folderSettings.js';
import { type OwnRepository, writeWhole } from './ownRepository.js';

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
