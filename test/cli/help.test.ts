import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import { PROGRAM } from '../../src/cli/commands.js';
import { formatHelp } from '../../src/cli/start/help.js';
import { createMachine, root } from './runHuddle.js';

test('the help made at build is the one the program would give', async () => {
  const { stdout } = await createMachine().run(['--help']);
  expect(stdout).toBe(formatHelp(PROGRAM, ['huddle'], english));
});

test.each([['-h'], ['help']])('%s is another way to ask for it', async (word) => {
  const machine = createMachine();
  expect(await machine.run([word])).toEqual(await machine.run(['--help']));
});

test.each([[['--version']], [['-V']], [['--plain', '--version']]])(
  '%j says the version of the package',
  async (args) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { code, stdout } = await createMachine().run(args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
  },
);
