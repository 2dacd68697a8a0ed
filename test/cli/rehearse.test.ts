import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, root, teamFile } from './runHuddle.js';

describe('huddle rehearse', () => {
  test('starts none of the programs that are installed, and leaves no files behind', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const pidFile = join(machine.folder, 'pids');
    await machine.run(['rehearse', 'Go.'], { env: { HOSTILE_PIDFILE: pidFile } });
    expect(existsSync(pidFile)).toBe(false);
    expect(readdirSync(machine.folder).sort()).toEqual(['bin', 'project']);
  });

  test.each(['review', 'debate', 'contest'])('the example team %s rehearses', async (name) => {
    const { code } = await createMachine().run([
      'rehearse',
      '--team',
      join(root, 'examples', name, 'huddle.jsonc'),
    ]);
    expect(code).toBe(0);
  });
});

describe('huddle demo', () => {
  test('shows the prompt of each turn, and starts none of the programs that are installed', async () => {
    const machine = createMachine();
    machine.install('claude');
    const pidFile = join(machine.folder, 'pids');
    const { code, stdout, stderr } = await machine.run(['demo'], { env: { HOSTILE_PIDFILE: pidFile } });
    expect(code).toBe(0);
    expect(existsSync(pidFile)).toBe(false);
    expect(stdout.match(/^╭ prompt for \w+: \d+ bytes$/gmu)).toHaveLength(3);
    expect(stderr).toContain('Next:\n  huddle init');
  });
});
