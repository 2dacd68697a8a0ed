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
    expect(first.stderr).toBe(`Trusted: ${machine.project}. A change of what is started asks again.\n`);
    const again = await machine.run(['trust']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('is trusted already, since 20');

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
