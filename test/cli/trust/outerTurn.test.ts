import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../../../src/cli/commands.js';
import { performLine } from '../../../src/cli/main.js';
import type { CliCommand } from '../../../src/cli/start/command.js';
import { contextOf } from '../contextOf.js';
import { createMachine } from '../runHuddle.js';

/** The commands that an agent may type; see nested.test.ts for those that start agents. All others are for people. */
const READS = [
  ...['rehearse', 'demo', 'team check', 'doctor', 'config', 'config path', 'sessions', 'show', 'export'],
  ...['cassette', 'cost', 'why', 'diff', 'completion', 'store', 'store check', 'store list', 'team'],
];
const STARTS = ['run', 'resume', 'replay', 'mcp', 'acp', 'web', 'worker'];

const writing = [...commandsOf(PROGRAM)].filter(([name]) => !READS.includes(name) && !STARTS.includes(name));

test('the commands for people are these', () => {
  expect(writing.map(([name]) => name)).toMatchInlineSnapshot(`
    [
      "init",
      "config set",
      "config unset",
      "trust",
      "fork",
      "rewind",
      "delete",
      "rename",
      "import",
      "undo",
      "apply",
      "commit",
      "store init",
      "store add",
      "store invite",
      "store remove",
      "store upgrade",
      "key",
    ]
  `);
});

test.each(writing)('huddle %s is refused inside a turn, whatever HUDDLE_HOME says', async (name, command) => {
  const machine = createMachine();
  const words = Object.values(command.arguments)
    .filter(({ isRequired }) => isRequired)
    .map(() => 'x');
  for (const dataFolder of [machine.env.HUDDLE_HOME ?? '', join(machine.folder, 'elsewhere')]) {
    const env = { ...machine.env, HUDDLE_HOME: dataFolder, HUDDLE_TURN: '1' };
    const configFile = join(machine.folder, 'config.jsonc');
    const context = contextOf(machine, { env, dataFolder, configFile });
    const running = performLine([...name.split(' '), ...words], PROGRAM, context);
    await expect(running).rejects.toMatchObject({ code: 'NESTED' });
    expect(existsSync(dataFolder)).toBe(false);
  }
  expect(readdirSync(machine.folder).toSorted()).toEqual(['bin', 'project']);
  expect(readdirSync(machine.project)).toEqual([]);
});

/** Every command that can be typed, with the names above it. */
function* commandsOf(
  { commands }: CliCommand,
  above: readonly string[] = [],
): Generator<[string, CliCommand]> {
  for (const command of commands) {
    const words = [...above, command.name];
    yield [words.join(' '), command];
    yield* commandsOf(command, words);
  }
}
