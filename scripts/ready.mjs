// Makes a fresh clone ready: installs what the lockfile says and builds `dist/`, each only when needed.
// Everything it prints goes to stderr; with nothing to do it prints nothing and takes about 0.1 s.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from './fingerprint.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFolder = join(root, '.cache', 'ready.lock');
const staleLockMilliseconds = 10 * 60_000;

const installOnly = process.argv.includes('--install-only');

if (!isReady()) {
  await withLock(() => {
    if (!dependenciesAreInstalled()) install();
    if (!installOnly && !buildIsFresh(root)) build();
  });
}

function isReady() {
  return dependenciesAreInstalled() && (installOnly || buildIsFresh(root));
}

/** Every package the lockfile asks for is on disk in that version; optional platform packages may be absent. */
function dependenciesAreInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(join(root, path, 'package.json'))
    );
  });
}

function readPackages(file) {
  if (!existsSync(file)) return {};
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

function install() {
  say('Installing dependencies from the lockfile (once) …');
  const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, ...flags]);
  else run('npm', flags);
}

function build() {
  say('Building …');
  run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.error) fail(`could not start ${command}: ${result.error.message}`);
  if (result.status !== 0)
    fail(`${args[0]} ended with ${result.status ?? result.signal}; see the lines above`);
}

function fail(reason) {
  rmSync(lockFolder, { recursive: true, force: true });
  say(`Set-up failed: ${reason}`);
  process.exit(1);
}

/** `npm start` and `npm test` at once install once: a folder is the lock, since making one is atomic. */
async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  while (!tryLock()) await new Promise((resolve) => setTimeout(resolve, 200));
  try {
    work();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

function tryLock() {
  try {
    mkdirSync(lockFolder);
    writeFileSync(join(lockFolder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (lockIsStale()) rmSync(lockFolder, { recursive: true, force: true });
    return false;
  }
}

function lockIsStale() {
  try {
    if (Date.now() - statSync(lockFolder).mtimeMs > staleLockMilliseconds) return true;
    process.kill(Number(readFileSync(join(lockFolder, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    // ESRCH: the holder died. ENOENT: it is just starting or has just finished; look again.
    return error.code === 'ESRCH';
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
