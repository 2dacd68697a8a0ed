// Keeps one Postgres server for the program that started this one, in a folder of its own: `node postgresKeeper.mjs <bin> [durable] [port=N]`.
// It prints the folder when the server answers, obeys the lines `stop` and `start`, and at the end of its input, which
// comes however that program ends, stops the server and removes the folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const NOBODY = 65_534;
const LOOK_MILLISECONDS = 10;
/** Nothing here outlives the tests, so nothing needs to reach the disk, unless that is measured. */
const durability = process.argv.includes('durable') ? {} : { fsync: 'off', full_page_writes: 'off' };
const [port] = process.argv.flatMap((word) => /^port=(\d+)$/u.exec(word)?.[1] ?? []);
const SETTINGS = {
  ...durability,
  ...(port === undefined ? { listen_addresses: '' } : { listen_addresses: '127.0.0.1', port }),
  max_connections: 400,
  autovacuum_naptime: '1h',
  timezone: 'UTC',
};

const isRoot = process.getuid?.() === 0;
const owner = isRoot ? findOwner() : {};
// Short, as a socket's name must be; and root's own folder for temporary files may be closed to others.
const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'huddle-postgres-'));
const data = join(folder, 'data');
let server;
let isEnding = false;

process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void end());
process.stdout.on('error', () => void end());

try {
  if (isRoot) chownSync(folder, owner.uid, owner.gid);
  const bin = makeReachable(process.argv[2]);
  const settled = ['-U', 'postgres', '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...settled], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await start(bin);
  say(folder);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') await stop('SIGINT');
    if (line === 'start') await start(bin);
    say(line);
  }
} finally {
  await end();
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Postgres will not run as root. */
function findOwner() {
  const { stdout, status } = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' });
  const uid = status === 0 ? Number(stdout) : NOBODY;
  return { uid, gid: uid };
}

/** Copies the programs to where their user can start them, unless it can already. */
function makeReachable(bin) {
  const { status } = spawnSync(join(bin, 'postgres'), ['--version'], { ...owner, cwd: '/' });
  if (status === 0) return bin;
  const copy = join(folder, 'native');
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  return join(copy, 'bin');
}

async function start(bin) {
  const settings = { ...SETTINGS, unix_socket_directories: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const started = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    ...owner,
    cwd: folder,
    // What goes wrong for a client it hears itself.
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  server = started;
  started.gone = new Promise((resolve) => started.once('close', resolve));
  started.once('error', (error) => process.stderr.write(`postgres did not start: ${error.message}\n`));
  while (!isReady()) {
    if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}`);
    await delay(LOOK_MILLISECONDS);
  }
}

/** The last line of its file says `ready` when it takes connections. */
function isReady() {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith('ready');
}

async function stop(signal) {
  if (server === undefined || server.exitCode !== null) return;
  server.kill(signal);
  await server.gone;
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  // Nothing in it is kept.
  await stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
