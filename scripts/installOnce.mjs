// Packages that only some scripts need are installed when they first run, never by `npm ci` of the project itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const MANIFEST_FILES = ['package.json', 'package-lock.json', '.npmrc'];

/** Where what can be fetched again is kept: `HUDDLE_REAL_CACHE`, else a folder of ours in the user's cache. */
export function cacheFolder(environment = process.env) {
  const { HUDDLE_REAL_CACHE: own, XDG_CACHE_HOME: caches } = environment;
  if (own) return own;
  return join(caches && isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'huddle');
}

/** The folder in the cache where the packages of this lockfile are installed, or will be. */
export function installedFolder(packageFolder, name) {
  return join(cacheFolder(), `${name}-${hashLockfile(packageFolder)}`);
}

/**
 * Installs what the lockfile in `packageFolder` says into the cache, without running any of its scripts. A folder is
 * there whole or not at all: it is filled under another name first.
 */
export function installOnce(packageFolder, name) {
  const folder = installedFolder(packageFolder, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    for (const file of MANIFEST_FILES) cpSync(join(packageFolder, file), join(unfinished, file));
    install(unfinished, name);
    moveInto(folder, unfinished);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Another process may have been faster: what it installed is the same. */
function moveInto(folder, unfinished) {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** The same beside the sources, for scripts that import what they need. */
export function installBeside(packageFolder, name) {
  const stamp = join(packageFolder, 'node_modules', '.lockfile-hash');
  const hash = hashLockfile(packageFolder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  install(packageFolder, name);
  writeFileSync(stamp, hash);
}

function hashLockfile(packageFolder) {
  const lockfile = readFileSync(join(packageFolder, 'package-lock.json'));
  return createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
}

function install(folder, name) {
  process.stderr.write(`Installing what ${name} needs (once) …\n`);
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const flags = [
    'ci',
    '--ignore-scripts',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status, error } = spawnSync(command, [...first, ...flags], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`npm ci for ${name} ended with ${status}`, { cause: error });
}
