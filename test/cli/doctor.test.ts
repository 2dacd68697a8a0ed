import { describe, expect, test } from 'vitest';
import { installAgent } from './installAgent.js';
import { createMachine, type Machine, scrub, teamFile } from './runHuddle.js';

function machineWithAgents(): Machine {
  const machine = createMachine();
  installAgent(machine, 'claude', { '--version': '2.1.325 (Claude Code)', auth: '{"loggedIn": true}' });
  installAgent(machine, 'codex', { '--version': 'codex-cli 0.99.0', login: 'Not logged in' });
  return machine;
}

describe('huddle doctor', () => {
  test('says of each agent what works, what does not and what to do about it', async () => {
    const machine = machineWithAgents();
    const { code, stdout, stderr } = await machine.run(['doctor']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(scrub(stdout, machine)).toMatchFileSnapshot('golden/doctor.txt');
  });

  test('--json says the same to programs', async () => {
    const { stdout } = await machineWithAgents().run(['doctor', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      node: process.versions.node,
      team: null,
      agents: [
        { type: 'claude-code', version: '2.1.325', loggedIn: 'yes', isOlderThanTested: false },
        { type: 'openai-codex', version: '0.99.0', loggedIn: 'no', isOlderThanTested: true },
        { type: 'google-gemini', loggedIn: 'unknown' },
      ],
      exitCode: 0,
      next: 'huddle run "your message"',
    });
  });

  test('is 69 when nothing is installed, and names the first thing to install', async () => {
    const { code, stdout } = await createMachine().run(['doctor']);
    expect(code).toBe(69);
    expect(stdout).toMatch(/Next: npm install -g @anthropic-ai\/claude-code\n$/u);
  });

  test('is 4 when nobody is logged in', async () => {
    const machine = createMachine();
    installAgent(machine, 'codex', { '--version': '0.166.0', login: 'Not logged in' });
    const { code, stdout } = await machine.run(['doctor']);
    expect(code).toBe(4);
    expect(stdout).toContain('Next: Run `codex login`');
  });

  test('is 78 with a team file that is not right', async () => {
    const machine = machineWithAgents();
    machine.write('huddle.jsonc', '{');
    const { code, stdout } = await machine.run(['doctor']);
    expect(code).toBe(78);
    expect(stdout).toMatch(/✗ Team file huddle\.jsonc has \d+ problems?: huddle team check/u);
  });

  test('is 77 until the folder is trusted, and names members whose program is missing', async () => {
    const machine = machineWithAgents();
    machine.write(
      'huddle.jsonc',
      teamFile({ max: { agentType: 'claude' }, tests: { agentType: 'command', command: ['not-there'] } }),
    );
    const before = await machine.run(['doctor']);
    expect(before.code).toBe(77);
    expect(before.stdout).toContain('✗ Member tests needs not-there, which is not on PATH');
    expect(before.stdout).toContain('Next: huddle trust');
    await machine.run(['trust', '--yes']);
    const after = await machine.run(['doctor']);
    expect(after.code).toBe(0);
    expect(after.stdout).toContain('✓ Folder trusted since');
  });

  test.each([
    ['a data folder that is a file', 'data', 74, /✗ .*data cannot be used: .*in the way/u],
    ['a damaged record of trust', 'data/trust.json', 77, /✗ The record of trusted folders, .* is damaged/u],
    ['a damaged store', 'data/conversations.sqlite', 65, /✗ .*sqlite is damaged: it is not a database/u],
  ])('finds %s, and ends with the code a run would end with', async (_what, path, exitCode, finding) => {
    const machine = machineWithAgents();
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    if (exitCode === 65) await machine.run(['trust', '--yes']);
    machine.write(`../${path}`, 'in the way');
    const { code, stdout } = await machine.run(['doctor']);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: expect.stringMatching(finding) });
    expect((await machine.run(['run', 'Go.'])).code).toBe(exitCode);
  });
});
