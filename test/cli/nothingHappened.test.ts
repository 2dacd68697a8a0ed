import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, finished, type Machine, root, saying, teamFile } from './runHuddle.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const answers = { agentType: 'command', command: ['/bin/echo', 'Done.'] };

async function machineWithAda(): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: answers }));
  await machine.trust();
  return machine;
}

const WHAT_TO_INSTALL = [
  'No agent CLI found on PATH. Install one:',
  '  Claude Code  npm install -g @anthropic-ai/claude-code',
  '  Codex        npm install -g @openai/codex',
  '  Gemini CLI   npm install -g @google/gemini-cli',
  'To see a demo with simulated agents: huddle demo',
].join('\n');

describe('where no agent CLI is installed', () => {
  test.each<readonly [name: string, args: readonly string[], input: string]>([
    ['huddle run "Summarise the repo"', ['run', 'Summarise the repo'], ''],
    ['echo "Summarise the repo" | huddle', [], 'Summarise the repo\n'],
    ['huddle run --output-format json', ['run', 'Go.', '--output-format', 'json'], ''],
  ])('%s invents no answer, says what to install, and ends with 69', async (_name, args, input) => {
    expect(await createMachine().run(args, { input })).toEqual({
      code: 69,
      signal: null,
      stdout: '',
      stderr: `error[AGENT_MISSING]: ${WHAT_TO_INSTALL}\n`,
    });
  });

  test.skipIf(!hasTerminal)('huddle in a terminal says the same', async () => {
    const terminal = openTerminal(createMachine());
    expect(await terminal.ended).toBe(69);
    expect(terminal.shown()).toContain('No agent CLI found on PATH.');
    expect(terminal.shown()).toContain('npm install -g @openai/codex');
    expect(terminal.shown()).toContain('huddle demo');
    expect(terminal.shown()).not.toContain('in rehearsal');
  });
});

describe('a run in which no agent was asked', () => {
  test.each([
    ['a name nobody has', 'hi [NEXT: Bobb]'],
    ['the speaker', 'hi [NEXT: kim]'],
  ])('ends with 1 and says so: %s', async (_name, message) => {
    const machine = await machineWithAda();
    const { code, stderr } = await machine.run(['run', message]);
    expect(code).toBe(1);
    expect(stderr).toContain('error[NO_RECIPIENT]: No agent was asked. Name one with @name or [NEXT: name].');
  });

  test('says in JSON what it is', async () => {
    const machine = await machineWithAda();
    const { code, stdout } = await machine.run(['run', 'hi [NEXT: Bobb]', '--output-format', 'json']);
    expect({ code, outcome: JSON.parse(stdout).outcome }).toEqual({ code: 1, outcome: 'no-recipient' });
  });

  test('counts what was asked now, not what was asked before', async () => {
    const machine = await machineWithAda();
    expect((await machine.run(['run', 'Go.'])).code).toBe(0);
    expect((await machine.run(['run', '-c', 'hi [NEXT: Bobb]'])).code).toBe(1);
  });
});

describe('huddle without a terminal and without a message', () => {
  test.each([
    ['empty', ''],
    ['blank', ' \n'],
  ])('ends with 2 when the input is %s, and shows no other team', async (_name, input) => {
    const machine = await machineWithAda();
    expect(await machine.run([], { input })).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'error[USAGE]: No message. Type huddle in a terminal, pipe a message into it, or run: huddle run "your message". To see a demo: huddle demo\n',
    });
  });

  test('waits for a slow pipe, and sends what comes', async () => {
    const machine = await machineWithAda();
    const child = machine.start([]);
    await saying(child.stderr, /Reading standard input …/u);
    child.stdin.end('Is it done?\n');
    const { code, stdout } = await finished(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
  });
});

describe('the demo', { timeout: 60_000 }, () => {
  const demo = 'Nothing, as long as the old key is accepted while the new one spreads.';

  test('is shown when it is asked for, whatever is installed', async () => {
    const machine = await machineWithAda();
    const { code, stdout } = await machine.run(['demo']);
    expect(code).toBe(0);
    expect(stdout).toContain(demo);
  });

  /** What npm runs once everything is built; npm adds the arguments to its end. */
  const [ready, afterwards = ''] = manifest.scripts.start.split(' && ');
  const start = ({ env }: Machine, ...args: readonly string[]) =>
    spawn('/bin/sh', ['-c', `exec ${[afterwards, ...args].join(' ')}`], { cwd: root, env });

  test('is what npm start shows in a clone', async () => {
    expect(ready).toBe('node scripts/ready.mjs');
    const child = start(createMachine());
    child.stdin.end();
    const { code, stdout, stderr } = await finished(child);
    expect(code).toBe(0);
    expect(stdout).toContain(demo);
    expect(stderr).toContain('Next:\n  alias huddle=');
  });

  test('ends with commands that can be typed in a clone', async () => {
    const machine = createMachine();
    const child = start(machine);
    child.stdin.end();
    const [, alias = ''] = /^ {2}(alias huddle=.*)$/mu.exec((await finished(child)).stderr) ?? [];
    const shell = spawn('/bin/sh', [], { env: machine.env });
    shell.stdin.end(`${alias}\nhuddle --version\n`);
    expect(await finished(shell)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+/u) });
  });

  test('gives way to a command: npm start -- --version', async () => {
    const child = start(createMachine(), '--version');
    child.stdin.end();
    expect(await finished(child)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u),
    });
  });

  test('gives way to a command: npm start -- team check', async () => {
    const child = start(createMachine(), 'team', 'check', 'examples/review/huddle.jsonc');
    child.stdin.end();
    expect(await finished(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
  });
});
