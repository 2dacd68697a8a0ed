import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fromText, toBytes } from '../bytePaths.js';
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

/** Writes configuration, attributes and ignore rules of our repository. */
export function writeSettings(repository: OwnRepository, dataFolder: string): void {
  const { gitFolder, format, user } = repository;
  writeWhole(join(gitFolder, 'config'), `${CONFIG}[extensions]\n\tobjectFormat = ${format}\n`);
  writeWhole(join(gitFolder, 'info', 'attributes'), ATTRIBUTES);
  const own = [...NEVER_MEANT, `/${escapePattern(repository.prefix)}.huddle-*/`];
  const ofUser = user && readIfThere(join(user.commonFolder, 'info', 'exclude'));
  const data = pathBelow(repository.top, dataFolder);
  const last = data === undefined ? [] : [`/${escapePattern(fromText(data))}/`];
  writeWhole(join(gitFolder, 'info', 'exclude'), toBytes([...own, ofUser ?? '', ...last, ''].join('\n')));
}

/** A path from a folder, if it lies below it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below === '..' || below.startsWith(`..${sep}`) ? undefined : below;
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
