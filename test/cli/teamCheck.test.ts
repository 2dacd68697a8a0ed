import { describe, expect, test } from 'vitest';
import { createMachine, scrub, teamFile } from './runHuddle.js';

const goodTeam = teamFile({
  max: { agentType: 'claude', title: 'Architect', model: 'sonnet', permission: 'full' },
  sarah: { agentType: 'codex' },
});
const badTeam = {
  version: 1,
  nmae: 'squad',
  members: [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude', permission: 'write' },
    { name: 'Max', type: 'ai', agentType: 'codex' },
  ],
};

describe('huddle team check', () => {
  test('says that a team file is right and who is in it', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', goodTeam);
    expect(await machine.run(['team', 'check'])).toEqual({
      code: 0,
      signal: null,
      stdout:
        'huddle.jsonc is valid: 2 agents, 1 person.\n' +
        '  kim: human\n' +
        '  max: Claude Code, Architect, sonnet, may do everything (unsandboxed)\n' +
        '  sarah: Codex, may read\n',
      stderr: 'Next: huddle rehearse\n',
    });
  });

  test('says everything that is wrong with it at once, and ends with 78', async () => {
    const machine = createMachine();
    machine.write('teams/squad.jsonc', badTeam);
    const { code, stdout, stderr } = await machine.run(['team', 'check', 'teams/squad.jsonc']);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/team-check-bad.txt');
  });

  test('--json says the same to programs', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', badTeam);
    const bad = await machine.run(['team', 'check', '--json']);
    expect(bad).toMatchObject({ code: 78, stderr: '' });
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'UNKNOWN_FIELD' }, { code: 'UNKNOWN_VALUE' }, { code: 'NAME_TAKEN' }],
    });
    machine.write('huddle.jsonc', goodTeam);
    const good = await machine.run(['team', 'check', '--json']);
    expect(JSON.parse(good.stdout)).toMatchObject({
      ok: true,
      members: [{ name: 'kim' }, {}, {}],
      warnings: [],
    });
  });

  test('warns of members that a limit on money cannot count', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ sarah: { agentType: 'codex' } }, { limits: { usd: 1 } }));
    const { code, stderr } = await machine.run(['team', 'check']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: 1:55 /members/1 "sarah" has no known price');
  });

  test('without a team file says how the team is made then, and ends with 78', async () => {
    const { code, stderr } = await createMachine().run(['team', 'check']);
    expect(code).toBe(78);
    expect(stderr).toMatch(/^error\[TEAM_FILE_MISSING\]: There is no huddle\.jsonc here .* huddle init\n$/u);
  });

  test('a file that is not there is an error of that file', async () => {
    const { code, stderr } = await createMachine().run(['team', 'check', 'no.jsonc']);
    expect(code).toBe(78);
    expect(stderr).toContain('does not exist [FILE_UNREADABLE]');
  });
});
