import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine, type Machine, scrub, teamFile } from './runHuddle.js';

const team = teamFile({
  max: { agentType: 'claude', instructionFile: 'roles/max.md', permission: 'full' },
  tests: { agentType: 'command', command: ['npm', 'test', '--', '\u001b[2Jhidden'], env: 'minimal' },
});

function machineWithTeam(): Machine {
  const machine = createMachine();
  machine.write('roles/max.md', 'Keep it simple.');
  machine.write('huddle.jsonc', team);
  return machine;
}

describe('huddle trust', () => {
  test('lists every command, argument, variable and instruction file; with nobody to ask it ends with 77', async () => {
    const machine = machineWithTeam();
    const { code, stdout, stderr } = await machine.run(['trust']);
    expect(code).toBe(77);
    await expect(scrub(stdout, machine)).toMatchFileSnapshot('golden/trust-question.txt');
    expect(stderr).toBe(
      'error[FOLDER_NOT_TRUSTED]: Nobody is here to ask. Look through the list, then run: huddle trust --yes\n',
    );
  });

  test('--yes trusts the folder until something else is started', async () => {
    const machine = machineWithTeam();
    const first = await machine.run(['trust', machine.project, '--yes'], { cwd: machine.folder });
    expect(first.code).toBe(0);
    expect(first.stderr).toBe(`Trusted: ${machine.project}. A change of what is started asks again.\n`);
    const again = await machine.run(['trust']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('is trusted already, since 20');

    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'command', command: ['rm', '-r', '.'] } }));
    expect(await machine.run(['run', 'Go.'])).toMatchObject({ code: 77 });
  });

  test('a trusted folder runs without --trust', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    await machine.run(['trust', '--yes']);
    const { code, stderr } = await machine.run(['run', 'Go.'], { env: { HOSTILE: 'fixed' } });
    expect(code).toBe(0);
    expect(stderr).not.toContain('rust');
  });

  test('a folder without a team file is 78', async () => {
    const { code } = await createMachine().run(['trust', '.']);
    expect(code).toBe(78);
  });

  test('a damaged record of trust trusts nothing', async () => {
    const machine = machineWithTeam();
    machine.write('../data/trust.json', '{');
    const { code, stderr } = await machine.run(['run', 'Go.']);
    expect(code).toBe(77);
    expect(stderr).toContain('error[TRUST_RECORD_DAMAGED]');
  });

  test.runIf(hasTerminal)('asks in a terminal, and takes only a whole yes', async () => {
    const machine = machineWithTeam();
    const no = await runInTerminal(machine, { args: ['trust'], input: 'y\n' });
    expect(no.code).toBe(77);
    expect(no.screen).toContain('error[FOLDER_NOT_TRUSTED]: Not trusted; nothing was started or changed');
    const yes = await runInTerminal(machine, { args: ['trust'], input: 'yes\n' });
    expect(yes.code).toBe(0);
    expect(yes.screen).toContain(`Trusted: ${machine.project}.`);
  });

  test.runIf(hasTerminal).each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 77],
  ])('%s in place of an answer trusts nothing', async (_title, input, exitCode) => {
    const machine = machineWithTeam();
    const { code, screen } = await runInTerminal(machine, { args: ['trust'], input });
    expect(code).toBe(exitCode);
    expect(screen).toContain('Not trusted; nothing was started or changed');
  });

  test.runIf(hasTerminal)('a run in a terminal asks too', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
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
