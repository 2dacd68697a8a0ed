import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, root, teamFile } from './runHuddle.js';

const folder = join(root, 'dist', 'cli');

/** Chunks of the program with the driver of the database, or what we do with it. */
const OF_SHARED_STORES = readdirSync(folder).filter(
  (file) =>
    file.endsWith('.cjs') &&
    /SCRAM-SHA-256|huddle\.hold_conversation/u.test(readFileSync(join(folder, file), 'utf8')),
);

/** An environment in which the program names every file that it reads code from. */
function tellFiles(machine: Machine): Readonly<Record<string, string>> {
  const preloaded = machine.write(
    'readings.cjs',
    `const fs = require('node:fs');
    const read = fs.readFileSync;
    const told = ${JSON.stringify(join(machine.folder, 'read'))};
    fs.readFileSync = (file, ...options) => {
      if (String(file).endsWith('.cjs')) fs.appendFileSync(told, file + '\\n');
      return read(file, ...options);
    };
    require('node:module').syncBuiltinESMExports();`,
  );
  return { NODE_OPTIONS: `--require ${preloaded}` };
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
  expect(OF_SHARED_STORES).not.toContain('main.cjs');
  expect(OF_SHARED_STORES).not.toContain('huddle.cjs');
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
