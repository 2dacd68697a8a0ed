import { describe, expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const says = (text: string) => ({
  agentType: 'command',
  command: ['/bin/echo', text],
});

async function machineOfTwo(bob = 'Bob was asked.'): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: says('Ada was asked.'), bob: says(bob) }));
  await machine.trust();
  return machine;
}

const toBob = 'Bob was asked.\n';

describe('@name in what a person writes', () => {
  test.each<readonly [name: string, args: readonly string[], input: string]>([
    ['huddle run "@bob hi"', ['run', '@bob hi'], ''],
    ['echo "@bob hi" | huddle', [], '@bob hi\n'],
    ['echo "@bob hi" | huddle run -', ['run', '-'], '@bob hi\n'],
  ])('hands over: %s', async (_name, args, input) => {
    const machine = await machineOfTwo();
    const { code, stdout } = await machine.run(args, { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: toBob });
  });

  test.each<readonly [name: string, args: readonly string[], input: string]>([
    ['huddle run -c "@bob hi"', ['run', '-c', '@bob hi'], ''],
    ['echo "@bob hi" | huddle -c', ['-c'], '@bob hi\n'],
  ])('hands over in a session that goes on: %s', async (_name, args, input) => {
    const machine = await machineOfTwo();
    await machine.run(['run', 'Go.']);
    const { code, stdout } = await machine.run(args, { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: toBob });
  });

  test('is a word in what an agent writes', async () => {
    const machine = await machineOfTwo('@ada, what do you think?');
    const { code, stdout } = await machine.run(['run', '@bob hi']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '@ada, what do you think?\n',
    });
  });

  test.each(['@param x', 'import @types/node', 'mail a@bob.com', '`@bob`', '> @bob said so', '@kim is me'])(
    '%j goes where it would without it, and nothing is said about it',
    async (text) => {
      const machine = await machineOfTwo();
      const { code, stdout, stderr } = await machine.run(['run', text]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Ada was asked.\n' });
      expect(stderr).not.toMatch(/called|itself|bob\b.*\?/u);
    },
  );

  test('gives way to a [NEXT: …]', async () => {
    const machine = await machineOfTwo();
    const { stdout } = await machine.run(['run', 'What @bob wrote is wrong. [NEXT: ada]']);
    expect(stdout).toBe('Ada was asked.\n');
  });
});

describe.skipIf(!hasTerminal)('@name in a terminal', { timeout: 60_000 }, () => {
  test('hands over with --plain', async () => {
    const terminal = openTerminal(await machineOfTwo(), { args: ['--plain'] });
    await terminal.until('> ');
    terminal.type('@bob hi\n');
    await terminal.until('was asked.');
    terminal.type('/quit\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain('kim → bob:\n  @bob hi\n');
    expect(terminal.shown()).toContain('Bob was asked.');
    expect(terminal.shown()).not.toContain('Ada was asked.');
  });
});
