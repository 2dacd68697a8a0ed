import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installMarkingAgent } from './markingAgent.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

/** PATH as npm makes it for what runs in a project. */
function projectFirst(machine: Machine, folder = 'project/node_modules/.bin'): { env: { PATH: string } } {
  return { env: { PATH: [join(machine.folder, folder), machine.env.PATH].join(delimiter) } };
}

describe('a program that PATH finds inside the folder', () => {
  test.each([[['run', 'hello']], [['run', 'hello', '--trust']], [['doctor']], [['init', '--yes']]])(
    'is not started by huddle %j while another one is there, and that is said',
    async (args) => {
      const machine = createMachine();
      const inside = installMarkingAgent(machine, 'project/node_modules/.bin/claude');
      installMarkingAgent(machine, 'bin/claude');
      const { stdout, stderr } = await machine.run(args, projectFirst(machine));
      expect(inside.starts()).toEqual([]);
      expect(`${stdout}${stderr}`).toContain(inside.file);
    },
  );

  test.each([[['run', 'hello']], [['doctor']], [['init', '--yes']]])(
    'is not started by huddle %j when it is the only one',
    async (args) => {
      const machine = createMachine();
      const inside = installMarkingAgent(machine, 'project/node_modules/.bin/claude');
      const { stdout, stderr } = await machine.run(args, projectFirst(machine));
      expect(inside.starts()).toEqual([]);
      expect(`${stdout}${stderr}`).toContain(inside.file);
    },
  );

  test('is not started after init either, which has not vouched for it', async () => {
    const machine = createMachine();
    const inside = installMarkingAgent(machine, 'project/node_modules/.bin/claude');
    await machine.run(['init', '--yes'], projectFirst(machine));
    expect(await machine.run(['run', 'hello'], projectFirst(machine))).toMatchObject({ code: 77 });
    expect(inside.starts()).toEqual([]);
  });

  test.each([
    ['through a link to a folder of the project', 'link'],
    ['elsewhere in the repository', 'project/tools'],
  ])('counts as inside %s', async (_title, folder) => {
    const machine = createMachine();
    mkdirSync(join(machine.project, '.git'));
    mkdirSync(join(machine.project, 'packages', 'one'), { recursive: true });
    const inside = installMarkingAgent(machine, 'project/tools/claude');
    symlinkSync(join(machine.project, 'tools'), join(machine.folder, 'link'));
    const cwd = join(machine.project, 'packages', 'one');
    const { stdout } = await machine.run(['doctor'], { ...projectFirst(machine, folder), cwd });
    expect(inside.starts()).toEqual([]);
    expect(stdout).toContain('/claude');
  });

  test('is started once a person has trusted it by name', async () => {
    const machine = createMachine();
    const inside = installMarkingAgent(machine, 'project/node_modules/.bin/claude');
    const trusted = await machine.run(['trust', '--yes'], projectFirst(machine));
    expect(trusted.stdout).toContain(inside.file);
    expect(await machine.run(['run', 'hello'], projectFirst(machine))).toMatchObject({ code: 0 });
    expect(inside.starts().some((start) => start.startsWith('-p'))).toBe(true);
  });

  test('is not started in a trusted folder if it appeared later', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    await machine.run(['trust', '--yes'], projectFirst(machine));
    const inside = installMarkingAgent(machine, 'project/node_modules/.bin/claude');
    const { code, stderr } = await machine.run(['run', 'hello'], projectFirst(machine));
    expect(code).toBe(0);
    expect(inside.starts()).toEqual([]);
    expect(stderr).toContain(inside.file);
  });
});
