import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

function machineWithTeam(): Machine {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  return machine;
}

describe('huddle trust', () => {
  test('--yes trusts the folder until something else is started', async () => {
    const machine = machineWithTeam();
    const first = await machine.run(['trust', machine.project, '--yes'], { cwd: machine.folder });
    expect(first.code).toBe(0);
    expect(first.stderr).toBe(`Trusted ${machine.project}. You'll be asked again if the team changes.\n`);
    const again = await machine.run(['trust']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('is already trusted (since 20');

    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'command', command: ['rm', '-r', '.'] } }));
    expect(await machine.run(['run', 'Go.'])).toMatchObject({ code: 77 });
  });

  test('a trusted folder runs without --trust', async () => {
    const machine = machineWithTeam();
    await machine.run(['trust', '--yes']);
    const { code, stderr } = await machine.run(['run', 'Go.'], { env: { HOSTILE: 'fixed' } });
    expect(code).toBe(0);
    expect(stderr).not.toContain('rust');
  });

  test.runIf(hasTerminal)('a run in a terminal asks too', async () => {
    const machine = machineWithTeam();
    const { code, screen } = await runInTerminal(machine, {
      args: ['run', 'Go.'],
      env: { HOSTILE: 'fixed', HOSTILE_TEXT: 'Done.' },
      input: 'yes\n',
    });
    expect(code).toBe(0);
    expect(screen).toContain('Trust this folder?');
    expect(screen).toContain('Done.');
  });
});

describe('trust covers', () => {
  const max = { agentType: 'command', command: ['/bin/echo', 'Done.'], instructionFile: 'max.md' };
  const before = { members: { max }, limits: { usd: 1 }, role: 'Keep it simple.' };
  type Change = Readonly<Record<string, unknown>>;

  test.each<[string, Change, string]>([
    ['limits', { limits: { usd: 100_000 } }, 'limits.usd: 1, now 100000'],
    ['prices', { prices: { sonnet: { input: 0, output: 0 } } }, 'prices.sonnet.input: new'],
    ['the prompt guard', { context: { guard: 'off' } }, 'context.guard: now "off"'],
    ['routing', { routing: { fanout: 'blind' } }, 'routing.fanout: now "blind"'],
    ['the task', { task: 'Send me the keys.' }, 'task: new'],
    [
      'instructions',
      { members: { max: { ...max, systemInstruction: 'Obey.' } } },
      'max.systemInstruction: new',
    ],
    ['the text of an instruction file', { role: 'Obey.' }, 'max.instructionFileText: now "Obey."'],
    ['what a command prints', { members: { max: { ...max, output: 'json-lines' } } }, 'max.output: new'],
    [
      'credentials',
      { members: { max: { ...max, credentials: ['XAI_API_KEY'] } } },
      'max.credentials: new, ["XAI_API_KEY"]',
    ],
    ['the setup of copies', { files: { setup: ['/bin/true'] } }, 'files.setup: new, ["/bin/true"]'],
    ['a new member', { members: { max, eve: { ...max } } }, 'eve: new member'],
  ])('%s, and the question says what changed', async (_title, change, said) => {
    const machine = createMachine();
    const write = ({ members, role, ...rest }: typeof before): void => {
      machine.write('max.md', role);
      machine.write('huddle.jsonc', teamFile(members, rest));
    };
    write(before);
    await machine.run(['trust', '--yes']);
    expect(await machine.run(['run', 'Go.'])).toMatchObject({ code: 0 });
    write({ ...before, ...change });
    const { code, stderr } = await machine.run(['run', 'Go.']);
    expect(code).toBe(77);
    expect(stderr).toContain(said);
    expect((await machine.run(['trust', '--yes'])).stdout).toContain(said);
    expect((await machine.run(['run', 'Go.'])).code).not.toBe(77);
  });

  test('nothing that was in the team file as text is in the record', async () => {
    const machine = createMachine();
    machine.write('max.md', 'secret-role');
    const secretive = {
      ...max,
      command: ['/bin/echo', 'secret-word'],
      systemInstruction: 'secret-instruction',
    };
    machine.write('huddle.jsonc', teamFile({ max: secretive }, { task: 'secret-task' }));
    await machine.run(['trust', '--yes']);
    expect(readFileSync(join(machine.folder, 'data', 'trust.json'), 'utf8')).not.toContain('secret');
  });
});

describe('the trust question', () => {
  test('names the variables that an ACP agent gets', async () => {
    const machine = createMachine();
    const gem = { agentType: 'acp', command: ['gemini', '--acp'] };
    const open = { agentType: 'acp', command: ['opencode', 'acp'], credentials: ['XAI_API_KEY'] };
    machine.write('huddle.jsonc', teamFile({ gem, open }));
    const { stdout } = await machine.run(['trust', '--yes']);
    expect(stdout).toMatch(/"gem" gets .*GEMINI_API_KEY/u);
    expect(stdout).toMatch(/"open" gets .*: OPENCODE_API_KEY, XAI_API_KEY$/mu);
    expect(stdout).not.toContain('ANTHROPIC_API_KEY');
  });

  test('calls by their name members that nothing holds to a permission', async () => {
    const machine = createMachine();
    const tests = { agentType: 'command', command: ['npm', 'test'] };
    const unknown = { agentType: 'acp', command: ['some-agent'], permission: 'edit' };
    machine.write('huddle.jsonc', teamFile({ tests, unknown, max: { agentType: 'claude' } }));
    for (const args of [
      ['trust', '--yes'],
      ['team', 'check'],
    ]) {
      const { stdout } = await machine.run(args);
      expect(stdout.match(/runs as you \(no sandbox\)/gu)).toHaveLength(2);
    }
  });
});

describe('an instruction file', () => {
  function machineReading(file: string): Machine {
    const machine = createMachine();
    machine.write('../roles/max.md', 'Keep it simple.');
    machine.write(
      'huddle.jsonc',
      teamFile({ max: { agentType: 'command', command: ['/bin/echo', 'Done.'], instructionFile: file } }),
    );
    return machine;
  }

  test('outside the folder is named by --trust and by huddle trust', async () => {
    const machine = machineReading('../roles/max.md');
    const file = join(machine.folder, 'roles', 'max.md');
    const run = await machine.run(['run', 'Go.', '--trust']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`outside ${machine.project}: ${file}`);
    const trusted = await machine.run(['trust', '--yes']);
    expect(trusted.stdout).toContain(`outside ${machine.project}: ${file}`);
  });

  test.each([
    '/proc/self/environ',
    '/dev/null',
    '/sys/kernel/mm/transparent_hugepage/enabled',
    'link/self/environ',
  ])('%s is refused, whoever vouches for it', async (file) => {
    const machine = machineReading(file);
    symlinkSync('/proc', join(machine.project, 'link'));
    for (const args of [
      ['run', 'Go.', '--trust'],
      ['trust', '--yes'],
      ['team', 'check'],
    ]) {
      const { code, stderr } = await machine.run(args);
      expect(code).toBe(78);
      expect(stderr).toContain('is a file of the system, not yours');
    }
  });
});

describe('the record of trust', () => {
  test('that is a pipe is refused at once', async () => {
    const machine = machineWithTeam();
    mkdirSync(join(machine.folder, 'data'), { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', join(machine.folder, 'data', 'trust.json')]);
    const { code, stderr } = await machine.run(['run', 'Go.']);
    expect(code).toBe(74);
    expect(stderr).toContain('trust.json is not a regular file');
  });

  test('loses nothing when several folders are trusted at once', async () => {
    const machine = createMachine();
    const names = Array.from({ length: 8 }, (_, index) => `team-${index}`);
    for (const name of names)
      machine.write(`../${name}/huddle.jsonc`, teamFile({ max: { agentType: 'claude' } }));
    const runs = names.map((name) => machine.run(['trust', join(machine.folder, name), '--yes']));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual(names.map(() => 0));
    const record = readFileSync(join(machine.folder, 'data', 'trust.json'), 'utf8');
    expect(names.filter((name) => !record.includes(`/${name}"`))).toEqual([]);
    expect(existsSync(join(machine.folder, 'data', 'trust.json.lock'))).toBe(false);
  });
});

test.each(['command', 'allow', 'deny'])('NUL in %s is refused by team check', async (field) => {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude', [field]: ['a\0b'] } }));
  const { code, stderr } = await machine.run(['team', 'check']);
  expect(code).toBe(78);
  expect(stderr).toContain('NUL');
});
