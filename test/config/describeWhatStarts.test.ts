import { describe, expect, it } from 'vitest';
import { formatWhatStarts } from '../../src/cli/trust/examineTrust.js';
import { describeWhatStarts } from '../../src/config/describeWhatStarts.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import type { Team } from '../../src/models/Team.js';

const max = { name: 'max', type: 'ai', agentType: 'claude', model: 'sonnet', instructionFile: 'max.md' };
const tests = { name: 'tests', type: 'ai', agentType: 'command', command: ['npm', 'test'], env: 'minimal' };
const kailai = { name: 'kailai', type: 'human' };

describe('describeWhatStarts', () => {
  it('lists command, arguments, permission, environment and instruction file of every agent', () => {
    expect(
      describeWhatStarts(teamOf(kailai, { ...max, allow: ['Bash'], deny: ['WebFetch'] }, tests)),
    ).toEqual([
      {
        member: 'max',
        agentType: 'claude-code',
        command: ['claude'],
        model: 'sonnet',
        permission: 'read',
        isHeldToPermission: true,
        allow: ['Bash'],
        deny: ['WebFetch'],
        env: 'inherit',
        instructionFile: '/project/max.md',
      },
      {
        member: 'tests',
        agentType: 'command',
        command: ['npm', 'test'],
        permission: 'read',
        isHeldToPermission: false,
        allow: [],
        deny: [],
        env: 'minimal',
      },
    ]);
  });
});

describe('formatWhatStarts', () => {
  it('names the program that prepares copies, with the rights that it has', () => {
    const result = resolveTeam({
      version: 1,
      files: { setup: ['npm', 'ci', '--prefer-offline'] },
      members: [kailai, tests],
    });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(formatWhatStarts(describeWhatStarts(result.team)).split('\n').slice(2)).toEqual([
      'every new copy runs "npm" "ci" "--prefer-offline"',
      '  runs as you (no sandbox)',
    ]);
  });

  it('quotes every word in full and lets none of them act on the terminal', () => {
    const long = 'x'.repeat(500);
    const team = teamOf(max, { ...tests, command: ['sh', '-c', `echo \u001b[2J${long}; rm -rf .`] });
    expect(formatWhatStarts(describeWhatStarts(team))).toBe(
      [
        '"max" runs "claude"',
        '  read-only, environment inherit',
        '  model "sonnet"',
        '  instruction file "/project/max.md"',
        `"tests" runs "sh" "-c" "echo <U+001B>[2J${long}; rm -rf ."`,
        '  runs as you (no sandbox), environment minimal',
      ].join('\n'),
    );
  });
});

function teamOf(...members: object[]): Team {
  const read = (name: string) => [name, { ok: true, path: `/project/${name}`, text: '' }] as const;
  const instructionFiles = new Map([read('max.md'), read('other.md')]);
  const result = resolveTeam({ version: 1, members }, { instructionFiles });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.team;
}
