import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { teamFile } from './runHuddle.js';
import { answering, expectRefusal, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('a session that cannot be meant', () => {
  test('is refused with the ones that could be', async () => {
    const machine = machineWithTeam();
    await expectRefusal(machine, ['show'], { exitCode: 2, golden: 'show-none' });
    const id = await keepOne(machine);
    await expectRefusal(machine, ['show', 'wiki'], { exitCode: 2, golden: 'show-unknown' });
    const { stderr } = await machine.run(['show', id.replace('-', '_')]);
    expect(stderr).toContain(`The nearest: ${id}.`);
    await expectRefusal(machine, ['resume', 'Go on.'], { exitCode: 2, golden: 'resume-message-as-id' });
    await keepOne(machine);
    expect((await machine.run(['show', id.slice(0, 4)])).stderr).toContain('could be 2 sessions');
    expect(await outputOf(machine, 'show', id.slice(-4))).toContain('max:\nDone.\n');
  });

  test('is refused where its team is not, before anything is started', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    machine.write('other.jsonc', teamFile({ olga: { agentType: 'claude' } }));
    const args = ['resume', '2', 'More.', '--trust', '--team', 'other.jsonc'];
    await expectRefusal(machine, args, { exitCode: 2, golden: 'resume-other-team' });
    machine.write('some.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const { code, stderr } = await machine.run(args.with(-1, 'some.jsonc'), { env: answering });
    expect(code).toBe(0);
    expect(stderr).toContain('warning: No longer in the team: sarah.');
  });

  test('is not deleted unless somebody says yes', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    await expectRefusal(machine, ['delete', id], { exitCode: 2, golden: 'delete-unasked' });
    await expectRefusal(machine, ['resume', id, 'More.', '--retry'], {
      exitCode: 2,
      golden: 'resume-message-or-retry',
    });
    expect(await outputOf(machine, 'sessions')).toContain(id);
  });

  test.runIf(hasTerminal).each([
    ['yes', 0, 'Deleted: '],
    ['y', 1, 'Not deleted.'],
  ])('is asked about in a terminal; the answer "%s" counts', async (answer, exitCode, said) => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    const { code, screen } = await runInTerminal(machine, { args: ['delete', id], input: `${answer}\n` });
    expect(code).toBe(exitCode);
    expect(screen).toContain(said);
  });
});
