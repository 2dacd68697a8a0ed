import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Machine, teamFile } from './runHuddle.js';
import { answering, ID, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe.each([[['-c']], [['run', '-c']]])('huddle %j', (args) => {
  test('goes on with the latest session of this folder, whatever was said in others', async () => {
    const machine = await trustedMachine();
    const here = await keepOne(machine, 'Here.');
    await keepIn(addProject(machine), 'Elsewhere.');
    const { code, stdout, stderr } = await machine.run(args, { input: 'More.\n', env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(stderr).toContain(`Session ${here}, 2 messages: Here.`);
  });

  test('means the folder of the team file where there is one above', async () => {
    const machine = await trustedMachine();
    const here = await keepOne(machine, 'Here.');
    const below = join(machine.project, 'src', 'deep');
    mkdirSync(below, { recursive: true });
    const { stderr } = await machine.run(args, { input: 'More.\n', env: answering, cwd: below });
    expect(stderr).toContain(`Session ${here}, 2 messages: Here.`);
  });
});

describe('the sessions of a folder', () => {
  test('are listed alone, and with those of others and their folders by --all', async () => {
    const machine = await trustedMachine();
    const elsewhere = await keepIn(addProject(machine), 'Elsewhere.');
    const none = await machine.run(['sessions']);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toBe(
      'No saved sessions in this folder.\n1 session in other folders: huddle sessions --all\n',
    );
    const here = await keepOne(machine, 'Here.');
    const { stdout, stderr } = await machine.run(['sessions']);
    expect(stdout).toContain(here);
    expect(stdout).not.toContain(elsewhere);
    expect(stderr).toBe('1 session in other folders: huddle sessions --all\n');
    const ids = async (...options: string[]) =>
      JSON.parse(await outputOf(machine, 'sessions', '--json', ...options)).map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids()).toEqual([here]);
    expect(await ids('--all')).toEqual([here, elsewhere]);
  });

  test('can be named from anywhere, and belong to where they were gone on with last', async () => {
    const machine = await trustedMachine();
    const id = await keepOne(machine, 'Here.');
    const moved = { ...machine, project: join(machine.folder, 'renamed') };
    renameSync(machine.project, moved.project);
    const run = (args: readonly string[]) => machine.run(args, { cwd: moved.project, env: answering });
    expect((await run(['-c'])).code).toBe(2);
    expect((await run(['resume', id, 'More.', '--trust'])).code).toBe(0);
    expect((await run(['-c'])).stdout).toContain(`Session ${id}, 4 messages: Here.`);
  });

  test('are those that were imported there; no export says where a conversation was held', async () => {
    const machine = await trustedMachine();
    await keepOne(machine, 'Here.');
    for (const format of ['md', 'json', 'jsonl', 'html'])
      expect(await outputOf(machine, 'export', '--format', format)).not.toContain(machine.folder);
    const other = addProject(machine);
    await outputOf(machine, 'export', '--format', 'jsonl', '--output', 'log.jsonl');
    const file = join(machine.project, 'log.jsonl');
    await machine.run(['import', file, '--id', 'copy'], { cwd: other.project });
    const { stdout } = await machine.run(['show'], { cwd: other.project });
    expect(stdout).toBe('#1 kim:\n  Here.\n\n#2 max:\n  Done.\n');
  });
});

test('--retry, as the end of a run advises, goes past the limit that a failed turn was followed by', async () => {
  const machine = await trustedMachine();
  const limit = ['--max-turns', '1'];
  const failed = await machine.run(['run', 'Go. [NEXT: max, sarah]', ...limit], {
    env: { HOSTILE: 'crash' },
  });
  expect(failed.code).toBe(5);
  expect(failed.stderr).toContain('--retry');
  const retried = await machine.run(['resume', '--retry', ...limit], { env: answering });
  expect(retried).toMatchObject({ code: 5, stdout: 'Done.\n' });
  const rest = await machine.run(['resume', '--retry', ...limit], { env: answering });
  expect(rest).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

async function trustedMachine(): Promise<Machine> {
  const machine = machineWithTeam();
  await machine.trust();
  return machine;
}

/** Another project on the same machine. */
function addProject(machine: Machine): Machine {
  const project = join(machine.folder, 'other');
  mkdirSync(project);
  machine.write('../other/huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  return { ...machine, project };
}

async function keepIn(machine: Machine, message: string): Promise<string> {
  const { stderr } = await machine.run(['run', message, '--trust'], { cwd: machine.project, env: answering });
  return ID.exec(stderr)?.[0] ?? '';
}
