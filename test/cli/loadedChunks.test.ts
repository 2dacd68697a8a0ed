import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, root, teamFile } from './runHuddle.js';

const folder = join(root, 'dist', 'chunks');

/** Chunks of the program with the driver of the database, or what we do with it. */
const OF_SHARED_STORES = readdirSync(folder).filter(
  (file) =>
    file.endsWith('.js') &&
    /SCRAM-SHA-256|huddle\.hold_conversation/u.test(readFileSync(join(folder, file), 'utf8')),
);

/** An environment in which the program names every file of the program that it loads. */
function tellFiles(machine: Machine): Readonly<Record<string, string>> {
  const told = JSON.stringify(join(machine.folder, 'read'));
  const hooks = machine.write(
    'hooks.mjs',
    `import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${told}, url + '\\n');
      return next(url, context);
    }`,
  );
  const preloaded = machine.write(
    'readings.mjs',
    `import { register } from 'node:module';
    register(${JSON.stringify(pathToFileURL(hooks).href)});`,
  );
  return { NODE_OPTIONS: `--import ${preloaded}` };
}

/** Chunks with something of shared stores that the program has read. */
function findRead(machine: Machine): readonly string[] {
  const told = join(machine.folder, 'read');
  const files = existsSync(told) ? readFileSync(told, 'utf8').split('\n') : [];
  return OF_SHARED_STORES.filter((chunk) => files.some((file) => file.endsWith(`/${chunk}`)));
}

function createTeam(): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: { agentType: 'command', command: ['/bin/echo', 'Done.'] } }));
  return machine;
}

test('the driver of the database is in chunks of its own', () => {
  expect(OF_SHARED_STORES.length).toBeGreaterThan(0);
  expect(OF_SHARED_STORES.filter((chunk) => /^(?:core|main)-/u.test(chunk))).toEqual([]);
});

test.each(['--version', '--help', 'sessions', 'team check', 'run Go. --trust'])(
  'huddle %s loads nothing of shared stores',
  async (line) => {
    const machine = createTeam();
    expect((await machine.run(line.split(' '), { env: tellFiles(machine) })).code).toBe(0);
    expect(findRead(machine)).toEqual([]);
  },
);

test('a command that names a shared store does: so much is noticed', async () => {
  const machine = createTeam();
  const url = `postgres://kim@${encodeURIComponent(machine.folder)}/huddle`;
  await machine.run(['store', 'add', 'work', url]);
  const { code } = await machine.run(['sessions', '--store', 'work'], { env: tellFiles(machine) });
  expect(code).toBe(74);
  expect(findRead(machine)).not.toEqual([]);
});

test.skipIf(!hasTerminal)('nor does the first prompt', async () => {
  const machine = createTeam();
  await machine.trust();
  const terminal = openTerminal(machine, { env: tellFiles(machine) });
  await terminal.until('project — huddle');
  terminal.type('/exit\r');
  await terminal.ended;
  expect(findRead(machine)).toEqual([]);
});
