import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.js';
import { contextOf } from '../contextOf.js';
import { createMachine } from '../runHuddle.js';

/** The commands that an agent may type; see nested.test.ts for those that start agents. All others are for people. */
const READS = [
  ...['rehearse', 'demo', 'team check', 'doctor', 'config', 'config path', 'sessions', 'show', 'export'],
  ...['cassette', 'cost', 'why', 'diff', 'completion', 'store', 'store check', 'store list', 'team'],
];
const STARTS = ['run', 'resume', 'replay', 'mcp', 'acp', 'web', 'worker'];

const writing = [...commandsOf(createProgram({} as never, () => undefined))].filter(
  ([name]) => !READS.includes(name) && !STARTS.includes(name),
);

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
  const words = command.registeredArguments.filter(({ required }) => required).map(() => 'x');
  for (const dataFolder of [machine.env.HUDDLE_HOME ?? '', join(machine.folder, 'elsewhere')]) {
    const env = { ...machine.env, HUDDLE_HOME: dataFolder, HUDDLE_TURN: '1' };
    const configFile = join(machine.folder, 'config.jsonc');
    const finished: number[] = [];
    const program = createProgram(contextOf(machine, { env, dataFolder, configFile }), (code) =>
      finished.push(code),
    );
    const running = program.parseAsync([...name.split(' '), ...words], { from: 'user' });
    await expect(running).rejects.toMatchObject({ code: 'NESTED' });
    expect({ finished, isMade: existsSync(dataFolder) }).toEqual({ finished: [], isMade: false });
  }
  expect(readdirSync(machine.folder).toSorted()).toEqual(['bin', 'project']);
  expect(readdirSync(machine.project)).toEqual([]);
});

/** Every command that can be typed, with the names above it. */
function* commandsOf({ commands }: Command, above: readonly string[] = []): Generator<[string, Command]> {
  for (const command of commands) {
    const words = [...above, command.name()];
    yield [words.join(' '), command];
    yield* commandsOf(command, words);
  }
}
