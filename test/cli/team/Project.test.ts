import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from '../runHuddle.js';

const WRITE = 'cat > /dev/null; echo "one more line" >> notes.txt; echo Done.';

/** Has the program write down the name of every file that it opens. */
function watchOpening(machine: Machine): { readonly list: string; readonly env: Record<string, string> } {
  const list = join(machine.folder, 'opened');
  const preloaded = machine.write(
    'opened.cjs',
    `const fs = require('node:fs');
    const write = fs.appendFileSync;
    const note = (open) => (file, ...rest) => {
      write(${JSON.stringify(list)}, file + '\\n');
      return open(file, ...rest);
    };
    for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']) fs[name] = note(fs[name]);
    for (const name of ['open', 'readFile']) fs.promises[name] = note(fs.promises[name]);
    require('node:module').syncBuiltinESMExports();`,
  );
  return { list, env: { NODE_OPTIONS: `--require ${preloaded}` } };
}

test('every command opens the team file once', async () => {
  const machine = createMachine();
  const command = ['/bin/sh', '-c', WRITE];
  machine.write('huddle.jsonc', teamFile({ ada: { agentType: 'command', command, permission: 'edit' } }));
  await machine.trust();
  const { list, env } = watchOpening(machine);
  const counted: Record<string, unknown> = {};
  for (const line of ['run Go.', 'run -c Go.', 'undo --yes', 'sessions', 'team check', 'resume']) {
    rmSync(list, { force: true });
    writeFileSync(list, '');
    const { code } = await machine.run(line.split(' '), { env });
    const opened = readFileSync(list, 'utf8').split('\n');
    counted[line] = { code, opened: opened.filter((file) => file.endsWith('/huddle.jsonc')).length };
  }
  const once = { code: 0, opened: 1 };
  expect(counted).toEqual({
    'run Go.': once,
    'run -c Go.': once,
    'undo --yes': once,
    sessions: once,
    'team check': once,
    resume: once,
  });
});

test('a team file that cannot be read is told once, with its fault', async () => {
  const machine = createMachine();
  machine.write('huddle.jsonc', '{ "store": "work", ');
  const { code, stderr } = await machine.run(['run', 'Go.', '--trust']);
  expect(code).toBe(78);
  expect(stderr.match(/error\[/gu)).toHaveLength(1);
});
