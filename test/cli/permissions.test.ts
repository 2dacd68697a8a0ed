import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

/** A machine whose team has one ACP agent that asks before it runs its tests. */
function askingMachine(member: object = {}): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'acp', command: ['any-agent'], ...member } }));
  const tools = [{ name: 'Bash', input: 'npm test', result: '3 passed', asks: true }];
  machine.write('script.json', { max: [{ text: ['Let me see.', 'Done.'], tools }] });
  return machine;
}

const rehearse = ['rehearse', 'Go.', '--script', 'script.json', '--no-prompts'];

describe('what an agent asks leave for, where nobody is there', () => {
  test('is denied and said on standard error, and does not change the exit code', async () => {
    const { code, stdout, stderr } = await askingMachine().run(rehearse);
    expect(code).toBe(0);
    expect(stdout).toBe('kim:\n  Go.\n\nmax:\n  Let me see.\n\n  Done.\n');
    expect(stderr).toContain(
      'max asks for leave to use Bash: npm test\nmax: denied, since nobody was there to be asked\n',
    );
  });

  test('is in the JSON output, with who decided', async () => {
    const { stdout } = await askingMachine({ allow: ['execute(npm test)'] }).run([
      ...rehearse,
      '--output-format',
      'json',
    ]);
    expect(JSON.parse(stdout).permissions).toEqual([
      {
        requestId: expect.any(String),
        turnId: 'turn-1',
        member: 'max',
        name: 'Bash',
        input: 'npm test',
        decision: 'allowed',
        by: { kind: 'team-file' },
      },
    ]);
  });
});
