import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';
import { answering, keepOne, machineWithTeam } from './storedSessions.js';

/** A team of ordinary programs that print this. */
async function machineSaying(texts: Readonly<Record<string, string>>): Promise<Machine> {
  const machine = createMachine();
  const agents = Object.entries(texts).map(([name, text]) => [
    name,
    { agentType: 'command', command: ['/usr/bin/printf', '%s', text] },
  ]);
  machine.write('huddle.jsonc', teamFile(Object.fromEntries(agents)));
  await machine.trust();
  return machine;
}

const HOSTILE = 'a\ttab\n\n  and \u202e\u2066.';

describe('run off a terminal', () => {
  test('prints one answer as it is: no name, no indentation, no echo of the message', async () => {
    const machine = await machineSaying({ ada: HOSTILE });
    const { code, stdout, stderr } = await machine.run(['run', 'Go.']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a\ttab\n\n  and <U+202E><U+2066>.\n' });
    expect(stderr).toContain('Team: kim (human), ada (Command).\n');
    expect(stderr).toContain('1 turn in ');
    expect(stderr).not.toContain('Go.');
  });

  test('prints several answers each under the name of its author', async () => {
    const machine = await machineSaying({
      ada: 'Ask bob. [NEXT: bob]',
      bob: 'Ask eve.\n[NEXT: eve]',
      eve: 'Done.',
    });
    const { stdout } = await machine.run(['run', 'Go.']);
    expect(stdout).toBe('ada:\n  Ask bob. [NEXT: bob]\n\nbob:\n  Ask eve.\n  [NEXT: eve]\n\neve:\n  Done.\n');
  });

  test('prints the same when a session is continued', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine, 'Here.');
    const resumed = await machine.run(['resume', id, 'More.', '--trust'], { env: answering });
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test('prints no draft; that is told apart from the answers', async () => {
    const machine = machineWithTeam();
    const { code, stdout, stderr } = await machine.run(['run', 'Go. [NEXT: max]', '--trust'], {
      env: { HOSTILE: 'nofinal', HOSTILE_TEXT: 'Half of it.' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('max (draft, not delivered):\n  Half of it.\n');
  });
});

describe('--final', () => {
  test('prints the last answer alone, with nothing before or after it', async () => {
    const machine = await machineSaying({ ada: 'Ask bob. [NEXT: bob]', bob: HOSTILE });
    expect(await machine.run(['run', 'Go.', '--final'])).toMatchObject({ code: 0, stdout: `${HOSTILE}\n` });
    const more = await machine.run(['resume', '--final', '--retry']);
    expect(more).toMatchObject({ code: 0 });
  });

  test('prints nothing if there is no answer, and the exit code says why', async () => {
    const machine = machineWithTeam();
    const failed = await machine.run(['run', 'Go.', '--final', '--trust'], { env: { HOSTILE: 'crash' } });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
  });

  test('is for text only', async () => {
    const machine = machineWithTeam();
    const refused = await machine.run(['run', 'Go.', '--final', '--output-format', 'json']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
  });

  test.skipIf(!hasTerminal)('prints the last answer alone in a terminal, made harmless', async () => {
    const machine = await machineSaying({ ada: 'Ask bob. [NEXT: bob]', bob: HOSTILE });
    const { code, screen } = await runInTerminal(machine, { args: ['run', 'Go.', '--final'] });
    expect(code).toBe(0);
    expect(screen).toContain('a\ttab\n\n  and <U+202E><U+2066>.\n');
    expect(screen).not.toContain('Ask bob.');
    expect(screen).not.toContain('\n  Go.');
  });
});
