import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostileCommand } from '../agents/acp/hostileAcpAgent.js';
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
      [
        'max asks for permission: Bash npm test',
        '  │ command  npm test',
        '  │ title    Bash npm test',
        'max: denied (no one to ask). To allow it: "allow": ["Bash(npm test)"]',
        '',
      ].join('\n'),
    );
  });

  test('is told whole: every line of a command, every file, every change', async () => {
    const machine = createMachine();
    const toolCall = {
      toolCallId: 'e',
      kind: 'edit',
      title: 'Fix a typo',
      rawInput: { command: 'one\n  two' },
      content: [{ type: 'diff', path: '$CWD/a.txt', oldText: 'old\n', newText: 'new\n\u001b[2J\n' }],
    };
    const orders = JSON.stringify([{ ask: toolCall, as: 'e' }, { answer: 'e' }]);
    const command = hostileCommand('steps', join(machine.folder, 'pids'), orders);
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'acp', command } }));
    const { code, stdout, stderr } = await machine.run(['run', '--trust', 'Go.']);
    expect(code).toBe(0);
    expect(stdout).toContain('e: no');
    expect(stderr).toContain(
      [
        'max asks for permission: edit one ⏎ two',
        '  │ command  one ⏎',
        '  │            two',
        '  │ file     a.txt',
        '  │ title    Fix a typo',
        '  │ ± a.txt',
        '  │ - old',
        '  │ + new',
        '  │ + ␛[2J',
        'max: denied (no one to ask)',
        '',
      ].join('\n'),
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
        toolId: 'tool-1-0',
        kind: 'execute',
        title: 'Bash npm test',
        command: 'npm test',
        paths: [],
        isInFolder: true,
        decision: 'allowed',
        by: { kind: 'team-file' },
      },
    ]);
  });
});
