import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const saying = (text: string) => ({
  agentType: 'command',
  command: ['/bin/echo', text],
});

function machineWith(team: object): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', team);
  return machine;
}

describe('huddle run', () => {
  test('waits for the person one agent asked for, although the next one named nobody', async () => {
    const machine = machineWith({
      version: 1,
      members: [
        { name: 'kim', type: 'human' },
        { name: 'bob', type: 'human' },
        { name: 'ann', type: 'ai', ...saying('Which one? [NEXT: bob]') },
        { name: 'ben', type: 'ai', ...saying('Fine.') },
      ],
    });
    const { code, stderr } = await machine.run(['run', 'Go. [NEXT: ann, ben]', '--trust']);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('Waiting for bob to reply.'),
    });
    expect((await machine.run(['sessions'])).stdout).toContain('waiting for bob');
  });

  test('leaves a turn that did not fit to be asked for again, when it fits', async () => {
    const agents = { ann: saying('Fine.') };
    const task = 'x'.repeat(2000);
    const machine = machineWith(teamFile(agents, { task, context: { maxBytes: 1024 } }));
    const first = await machine.run(['run', 'Go. [NEXT: ann]', '--trust']);
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(/PROMPT_BUDGET.*To retry unfinished turns: huddle resume \S+ --retry/su);

    machine.write('huddle.jsonc', teamFile(agents, { task }));
    const again = await machine.run(['resume', '--retry', '--trust']);
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: 'Fine.\n' });
  });
});
