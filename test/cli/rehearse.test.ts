import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, finished, root, scrub, teamFile } from './runHuddle.js';

describe('huddle rehearse', () => {
  test('asks every agent of an untrusted team and shows exactly what each is sent', async () => {
    const machine = createMachine();
    machine.write('roles/max.md', 'Keep it simple.');
    machine.write(
      'huddle.jsonc',
      teamFile({
        max: { agentType: 'claude', title: 'Architect', instructionFile: 'roles/max.md' },
        tests: { agentType: 'command', command: ['./never-started'] },
      }),
    );
    const { code, stdout, stderr } = await machine.run(['rehearse']);
    expect(code).toBe(0);
    await expect(scrub(stdout, machine)).toMatchFileSnapshot('golden/rehearse-stdout.txt');
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/rehearse-stderr.txt');
  });

  test('starts none of the programs that are installed, and leaves no files behind', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const pidFile = join(machine.folder, 'pids');
    await machine.run(['rehearse', 'Go.'], { env: { HOSTILE_PIDFILE: pidFile } });
    expect(existsSync(pidFile)).toBe(false);
    expect(readdirSync(machine.folder).sort()).toEqual(['bin', 'project']);
  });

  test('plays a script, and limits hold as they would in a run', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' }, sarah: { agentType: 'codex' } }));
    machine.write('script.json', {
      max: [
        { text: 'One.', next: ['sarah'] },
        { text: 'Three.', next: ['sarah'] },
      ],
      sarah: [{ text: 'Two.', next: ['max'] }],
    });
    const args = ['rehearse', 'Go.', '--script', 'script.json', '--no-prompts', '--max-turns', '3'];
    const { code, stdout } = await machine.run(args);
    expect(code).toBe(5);
    expect(stdout).toBe(
      'kim:\nGo.\n\nmax:\nOne.\n\n[NEXT: sarah]\n\nsarah:\nTwo.\n\n[NEXT: max]\n\nmax:\nThree.\n\n[NEXT: sarah]\n',
    );
  });

  test('is 74 where no temporary folder can be made, and names the variable', async () => {
    const { code, stderr } = await createMachine().run(['rehearse'], { env: { TMPDIR: '/no/such/folder' } });
    expect({ code, stderr }).toEqual({
      code: 74,
      stderr: expect.stringContaining(
        'error[CANNOT_WRITE]: No temporary folder can be made in /no/such/folder: ',
      ),
    });
    expect(stderr).toContain('Set TMPDIR to a folder of yours.\n');
  });

  test.each(['review', 'debate'])('the example team %s rehearses', async (name) => {
    const { code } = await createMachine().run([
      'rehearse',
      '--team',
      join(root, 'examples', name, 'huddle.jsonc'),
    ]);
    expect(code).toBe(0);
  });
});

describe('huddle alone', () => {
  test.each([
    ['empty', ''],
    ['blank', ' \n'],
  ])('with %s standard input shows a short rehearsal with the prompt of each turn', async (_title, input) => {
    const machine = createMachine();
    machine.install('claude');
    const pidFile = join(machine.folder, 'pids');
    const { code, stdout, stderr } = await machine.run([], { input, env: { HOSTILE_PIDFILE: pidFile } });
    expect(code).toBe(0);
    expect(existsSync(pidFile)).toBe(false);
    expect(stdout.match(/^╭ what \w+ is sent: \d+ bytes$/gmu)).toHaveLength(3);
    expect(stderr).toContain('Next:\n  huddle init');
  });

  test('with a message on standard input is a run', async () => {
    const machine = createMachine();
    machine.install('claude');
    const { code, stdout } = await machine.run([], {
      input: 'Go.\n',
      env: { HOSTILE: 'fixed', HOSTILE_TEXT: 'Done.' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('claude:\nDone.');
  });

  test('with a standard input that nobody closes does not wait for ever', async () => {
    const child = createMachine().start([]);
    const { code, stderr } = await finished(child);
    expect(code).toBe(0);
    expect(stderr).toContain('Nothing came on standard input for 2 s, so this is a rehearsal.');
  });
});
