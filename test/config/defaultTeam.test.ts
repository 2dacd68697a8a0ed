import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AvailableAgent, createDefaultTeam, draftTeamFile } from '../../src/config/defaultTeam.js';
import { tries } from '../tier.js';

const claude: AvailableAgent = { agentType: 'claude-code', label: 'Claude Code' };
const codex: AvailableAgent = { agentType: 'openai-codex', label: 'Codex' };

describe('createDefaultTeam', () => {
  it('is the person and the agents that were found, under their short names', () => {
    const { team, rehearsal } = createDefaultTeam({ agents: [codex, claude], userName: 'kailai' });
    expect(rehearsal).toBe(false);
    expect(team.members).toMatchObject([
      { name: 'kailai', type: 'human' },
      { name: 'codex', type: 'ai', agentType: 'openai-codex', title: 'Codex', permission: 'read' },
      { name: 'claude', type: 'ai', agentType: 'claude-code', title: 'Claude Code', permission: 'read' },
    ]);
  });

  it('is a rehearsal with one of each when none was found', () => {
    const { team, rehearsal } = createDefaultTeam({ agents: [], userName: 'kailai' });
    expect(rehearsal).toBe(true);
    expect(team.members.map(({ name }) => name)).toEqual(['kailai', 'claude', 'codex', 'gemini']);
  });

  it('numbers a second agent of the same type', () => {
    const { team } = createDefaultTeam({ agents: [claude, claude], userName: 'kailai' });
    expect(team.members.map(({ name }) => name)).toEqual(['kailai', 'claude', 'claude-2']);
  });

  it.each([
    ['kailai', 'kailai'],
    ['小明', '小明'],
    ['Jane Q. Doe', 'Jane-Q-Doe'],
    ['DOMAIN\\jane', 'DOMAIN-jane'],
    ['jane@example.org', 'jane-example-org'],
    ['_www', 'www'],
    ['x'.repeat(40), 'x'.repeat(32)],
    ['', 'you'],
    ['...', 'you'],
    ['system', 'you'],
    ['ma\u0445', 'you'],
    ['Claude', 'you'],
    ['\u001b[31m', '31m'],
  ])('calls the person %j %s', (userName, name) => {
    const { team } = createDefaultTeam({ agents: [claude], userName });
    expect(team.members[0]?.name).toBe(name);
  });

  it('works for any login name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (userName) => {
        expect(createDefaultTeam({ agents: [claude, codex], userName }).team.members).toHaveLength(3);
      }),
      { numRuns: tries(1000) },
    );
  });
});

describe('draftTeamFile', () => {
  it('is the value of a short team file', () => {
    expect(draftTeamFile({ agents: [claude], userName: 'kailai' })).toEqual({
      version: 1,
      name: 'team',
      members: [
        { name: 'kailai', type: 'human' },
        { name: 'claude', type: 'ai', agentType: 'claude', title: 'Claude Code' },
      ],
    });
  });
});
