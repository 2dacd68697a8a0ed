import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const ECHO = { agentType: 'command', command: ['/bin/echo', 'Here.'] };
const OTHER = { agentType: 'command', command: ['/bin/echo', 'There.'] };

function machineWithDefaultTeam(): Machine {
  const machine = createMachine();
  machine.write('../teams/mine.jsonc', teamFile({ ada: ECHO }, { name: 'mine' }));
  machine.write('../.config/huddle/config.jsonc', { team: '~/teams/mine.jsonc' });
  return machine;
}

describe('the default team of the user', () => {
  test('serves a folder without a team file, once it is trusted', async () => {
    const machine = machineWithDefaultTeam();
    const file = join(machine.folder, 'teams', 'mine.jsonc');
    const refused = await machine.run(['run', 'Go.']);
    expect(refused.code).toBe(77);
    expect(refused.stderr).toContain(`No team file here: using your default team, ${file}`);
    expect(refused.stderr).toContain(`Agents work in ${machine.project}`);
    expect(refused.stderr).toContain(`Your default team, ${file}, will run these commands as you:`);
    expect(refused.stderr).toContain('Review it, then run `huddle trust`, or add --trust');

    expect((await machine.run(['trust', '--yes'])).code).toBe(0);
    const { code, stdout } = await machine.run(['run', 'Go.']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Here.') });
  });

  test('is trusted folder by folder, and again when it changes', async () => {
    const machine = machineWithDefaultTeam();
    await machine.run(['trust', '--yes']);
    machine.write('../other/readme.txt', '');
    expect((await machine.run(['run', 'Go.'], { cwd: join(machine.folder, 'other') })).code).toBe(77);
    machine.write('../teams/mine.jsonc', teamFile({ ada: OTHER }, { name: 'mine' }));
    const changed = await machine.run(['run', 'Go.']);
    expect(changed).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('Changed since you trusted it'),
    });
  });

  test('comes after --team and after the file of the folder', async () => {
    const machine = machineWithDefaultTeam();
    const file = machine.write('other.jsonc', teamFile({ bob: OTHER }));
    expect((await machine.run(['run', 'Go.', '--team', file, '--trust'])).stdout).toContain('There.');
    machine.write('huddle.jsonc', teamFile({ bob: OTHER }));
    const { stdout, stderr } = await machine.run(['run', 'Go.', '--trust']);
    expect(stdout).toContain('There.');
    expect(stderr).not.toContain('default team');
  });

  test('is the one that doctor, team check and rehearse speak of', async () => {
    const machine = machineWithDefaultTeam();
    const file = join(machine.folder, 'teams', 'mine.jsonc');
    await machine.run(['trust', '--yes']);
    const doctor = await machine.run(['doctor']);
    expect(doctor).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`✓ Default team ${file}: "mine", 1 agent`),
    });
    expect((await machine.run(['team', 'check'])).stdout).toContain(`${file} is valid`);
    expect((await machine.run(['rehearse', 'Go.', '--no-prompts'])).stdout).toContain('ada');
  });

  test('that is gone is named, with where its name comes from', async () => {
    const machine = createMachine();
    machine.write('../.config/huddle/config.jsonc', { team: 'gone.jsonc' });
    const { code, stderr } = await machine.run(['run', 'Go.']);
    expect(code).toBe(78);
    expect(stderr).toContain(
      `using your default team, ${join(machine.folder, '.config/huddle/gone.jsonc')} (huddle config)`,
    );
    expect(stderr).toContain('does not exist');
  });

  test('is set by a path as the shell sees it, and refused if it is no team', async () => {
    const machine = machineWithDefaultTeam();
    machine.write('team.jsonc', teamFile({ ada: ECHO }));
    expect((await machine.run(['config', 'set', 'team', 'team.jsonc'])).code).toBe(0);
    expect((await machine.run(['config', 'team'])).stdout).toMatch(/^team +team\.jsonc +config\.jsonc:1$/mu);
    const { code, stderr } = await machine.run(['config', 'set', 'team', 'no.jsonc']);
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining('does not exist') });
    expect((await machine.run(['config', 'team'])).stdout).toMatch(/^team +team\.jsonc +config\.jsonc:1$/mu);
  });

  test.skipIf(!hasTerminal)('is named on the first screen', async () => {
    const machine = machineWithDefaultTeam();
    await machine.run(['trust', '--yes']);
    const terminal = openTerminal(machine, { env: { COLUMNS: '200' } });
    await terminal.until('ready');
    expect(terminal.shown().replaceAll(/\s+/gu, ' ')).toContain('using your default team');
    terminal.type('\x04');
    expect(await terminal.ended).toBe(0);
  });
});
