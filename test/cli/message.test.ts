import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { type Machine, teamFile } from './runHuddle.js';
import { answering, ID, keepOne, machineWithTeam } from './storedSessions.js';

async function trustedMachine(): Promise<Machine> {
  const machine = machineWithTeam();
  await machine.trust();
  return machine;
}

describe('a message without a command, off a terminal', () => {
  test.each([
    [['Is it done?']],
    [['完成了吗？']],
    [['-p', 'Is it done?']],
    [['--print', 'Is it done?']],
    [['Is it done?', '-p']],
    [['-p', 'Is it done?', '--output-format', 'text']],
  ])('huddle %j runs it and prints the answer', async (args) => {
    const machine = await trustedMachine();
    const { code, stdout, stderr } = await machine.run(args, { env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(stderr).toMatch(ID);
  });

  test('is sent together with what is piped in', async () => {
    const machine = await trustedMachine();
    await machine.run(['Explain this.'], { env: answering, input: 'a piped line\n' });
    const { stdout } = await machine.run(['show']);
    expect(stdout).toContain('kim:\n  Explain this.\n\n  Standard input (13 bytes):\n');
    expect(stdout).toContain('a piped line');
  });

  test('-p alone takes standard input', async () => {
    const machine = await trustedMachine();
    const printed = await machine.run(['-p'], { env: answering, input: 'Is it done?\n' });
    expect(printed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test.each([[['-c', 'And now?']], [['-c', 'now']], [['-c', '-p', 'And now?']], [['-p', '-c', 'And now?']]])(
    'huddle %j continues the latest session',
    async (args) => {
      const machine = await trustedMachine();
      const id = await keepOne(machine, 'Here.');
      const { code, stdout, stderr } = await machine.run(args, { env: answering });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
      expect(stderr).toContain(`Session ${id}, 2 messages: Here.`);
    },
  );
});

describe('an argument that was likely not meant as a message', () => {
  const AS_IS = 'To send it as it is, pass it with --file FILE or on stdin.';
  const NAME = `No member named "mxa". Did you mean @max? ${AS_IS}`;

  test.each([
    [['run', '@mxa Is it done?'], NAME],
    [['run', 'Is it done? @mxa'], NAME],
    [['@mxa Is it done?'], NAME],
    [['rehearse', '@mxa Is it done?'], NAME],
    [['run', '-c', '@mxa Is it done?'], NAME],
    [['-c', '@mxa Is it done?'], NAME],
    [['resume', '', '@mxa Is it done?'], NAME],
    [['run', '--record', 'recorded.jsonl', '@mxa Is it done?'], NAME],
    [['run', '/undo'], `/undo is a command of the terminal: run huddle, then type it. ${AS_IS}`],
    [['run', '/halp'], `Unknown command /halp. Did you mean /help? ${AS_IS}`],
    [
      ['run', '!npm test'],
      `Huddle doesn't run shell commands. Run it in another terminal, or ask an agent to. ${AS_IS}`,
    ],
  ])('huddle %j is refused, and nothing is started or said', async (args, message) => {
    const machine = await trustedMachine();
    const id = await keepOne(machine, 'Here.');
    const typed = args.map((arg) => arg || id);
    const refused = await machine.run(typed, { env: answering });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`error[USAGE]: ${message} See: huddle`);
    const { stdout } = await machine.run(['sessions', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ id, messages: 2 }]);
  });

  test.each(['@mxa Is it done?', '/undo', '!npm test'])(
    '%s is sent as it is from a pipe or a file',
    async (text) => {
      const machine = await trustedMachine();
      writeFileSync(join(machine.project, 'text.md'), text);
      for (const [args, input] of [
        [['run'], text],
        [['run', '-'], text],
        [['run', '--file', 'text.md'], ''],
      ] as const)
        expect(await machine.run(args, { env: answering, input })).toMatchObject({
          code: 0,
          stdout: 'Done.\n',
        });
    },
  );
});

describe('a word that is no command', () => {
  test.each([
    [['rnu'], 'Unknown command "rnu". Did you mean huddle run? See: huddle --help'],
    [['--plain', 'sesions'], 'Unknown command "sesions". Did you mean huddle sessions? See: huddle --help'],
    [['exec', 'Do it.'], 'Unknown command "exec". Did you mean huddle run? See: huddle --help'],
    [['ls'], 'Unknown command "ls". Did you mean huddle sessions? See: huddle --help'],
    [['continue'], 'Unknown command "continue". Did you mean huddle -c? See: huddle --help'],
    [['ｒｎｕ'], 'Unknown command "ｒｎｕ". Did you mean huddle run? See: huddle --help'],
    [
      ['hello'],
      'Unknown command "hello". Type huddle run "hello" to send it to the team. See: huddle --help',
    ],
    [
      ['fix', 'the', 'bug', '--plain'],
      'Unknown command "fix". Type huddle run "fix the bug" to send it to the team. See: huddle --help',
    ],
    [
      ['-c', 'sessions'],
      '-c takes no command. Type huddle -c or huddle -c "message" to continue the latest session in this folder. See: huddle sessions --help',
    ],
    [['-c', 'sesions'], 'Unknown command "sesions". Did you mean huddle sessions? See: huddle --help'],
    [['-r'], "unknown option '-r' (Did you mean huddle resume?). See: huddle --help"],
    [['--resume', '9f3c'], "unknown option '--resume' (Did you mean huddle resume?). See: huddle --help"],
    [
      ['--yolo', 'Fix it.'],
      `unknown option '--yolo'. Set "permission" of each agent in the team file, or use --read-only. See: huddle --help`,
    ],
    [[''], 'The message in the argument is empty. Nothing was run. See: huddle --help'],
  ])('huddle %j starts nothing', async (args, message) => {
    const machine = await trustedMachine();
    const { code, stdout, stderr } = await machine.run(args, { env: answering });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `error[USAGE]: ${message}\n` });
    expect((await machine.run(['sessions'])).stdout).toBe('');
  });

  test.each([[['-v']], [['version']]])('huddle %j prints the version', async (args) => {
    const { code, stdout } = await machineWithTeam().run(args, { spawned: true });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u) });
  });
});

describe('-C', () => {
  test.each([
    ['before', ['-C', 'other', 'run', '--file', 'ask.txt']],
    ['behind', ['run', '--file', 'ask.txt', '--folder', 'other']],
    ['with -p', ['-C', 'other', '-p', '--file', 'ask.txt']],
  ])('%s a command runs it as if it were started there', async (_, args) => {
    const machine = machineWithTeam();
    const other = join(machine.project, 'other');
    mkdirSync(other);
    machine.write('other/ask.txt', 'Where are we?');
    machine.write('other/huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const { code, stdout } = await machine.run([...args, '--trust'], { env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect((await machine.run(['sessions', '-C', 'other'])).stdout).toContain('Where are we?');
    expect((await machine.run(['sessions'])).stdout).toBe('');
  });

  test.each(['nowhere', 'huddle.jsonc'])('refuses %s, which is no folder', async (folder) => {
    const { code, stderr } = await machineWithTeam().run(['-C', folder, 'sessions']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error\\[USAGE\\]: -C ${folder}: .+\\.\\n$`, 'u'));
  });
});

describe.skipIf(!hasTmux())('a message without a command, in a terminal', { timeout: 60_000 }, () => {
  const start = ({ env, project }: Machine, args: readonly string[]) =>
    new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args,
      folder: project,
      env: { ...env, ...answering },
    });

  test('is sent at once; what is typed meanwhile comes after it', async () => {
    const machine = await trustedMachine();
    const screen = start(machine, ['Is it done?\nReally?']);
    await screen.until('waiting for you');
    const rows = screen.everything().join('\n');
    expect(rows).toContain('› kim\n  Is it done?\n  Really?\n\n● max\n  Done.\n');
    expect(rows).not.toContain('Type a message.');
    screen.type('And now?');
    screen.press('Enter');
    await screen.until((shown) => shown.join('\n').split('Done.').length === 3);
    screen.press('C-d');
    await screen.until('code: 0');
  });

  test('continues the latest session with -c', async () => {
    const machine = await trustedMachine();
    await keepOne(machine, 'Here.');
    const screen = start(machine, ['-c', 'And now?']);
    await screen.until((shown) => shown.join('\n').includes('And now?\n\n● max\n  Done.'));
    expect(screen.everything().join('\n')).toContain('  Here.\n');
  });

  test('-p prints the answer there as well', async () => {
    const screen = start(await trustedMachine(), ['-p', 'Is it done?']);
    await screen.until('code: 0');
    expect(screen.everything().join('\n')).toContain('kim:\n  Is it done?\n\nmax:\n  Done.\n');
  });
});
