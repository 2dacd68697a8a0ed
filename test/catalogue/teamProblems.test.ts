import { describe, expect, it } from 'vitest';
import { describeTeamProblem, formatTeamProblems } from '../../src/catalogue/teamProblems.js';
import { TeamFileError } from '../../src/config/readRegularFile.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import type { TeamProblem } from '../../src/models/TeamProblem.js';

const problem: TeamProblem = {
  code: 'UNKNOWN_VALUE',
  pointer: '/members/1/agentType',
  member: 'max',
  value: 'cladue',
  choices: ['claude', 'codex'],
  suggestion: 'claude',
  position: { line: 12, column: 7 },
};

describe('formatTeamProblems', () => {
  it('says file and place, member, field, what is right, the value, the nearest right spelling and the code', () => {
    expect(formatTeamProblems([problem], 'huddle.jsonc')).toBe(
      'huddle.jsonc:12:7 members[1] "max": `agentType` must be one of "claude", "codex", not "cladue"; did you mean "claude"? [UNKNOWN_VALUE]',
    );
  });

  it.each([
    ['cursor', 'cursor-agent'],
    ['Cursor Agent', 'cursor-agent'],
    ['goose', 'goose'],
  ])('names the way for an agent that speaks ACP under another name: %s', (agentType, program) => {
    const members = [
      { name: 'kim', type: 'human' },
      { name: 'max', type: 'ai', agentType },
    ];
    const checked = resolveTeam({ version: 1, members });
    expect(checked.ok ? '' : formatTeamProblems(checked.problems)).toContain(
      `, not "${agentType}"; write { "agentType": "acp", "command": ["${program}", "acp"] }`,
    );
  });

  it('leaves out what is not known', () => {
    expect(formatTeamProblems([{ code: 'NO_AGENT', pointer: '/members', value: undefined }])).toBe(
      '`members` has no agent; add a member of type "ai" [NO_AGENT]',
    );
  });

  it('calls a file that cannot be read by its path', () => {
    const unreadable = { code: 'FILE_UNREADABLE', pointer: '', value: undefined, fault: 'missing' } as const;
    expect(formatTeamProblems([unreadable], 'teams/a.jsonc')).toBe(
      'teams/a.jsonc does not exist [FILE_UNREADABLE]',
    );
  });

  it.each([
    ['\u001b]52;c;AAAA\u0007', '"<U+001B>]52;c;AAAA<U+0007>"'],
    ['max\u202e\n', '"max<U+202E><U+000A>"'],
    ['\ud83e', '"<U+D83E>"'],
    ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
    [['a', 'b'], 'a list'],
    [{}, 'an object'],
    [null, 'null'],
    [1.5, '1.5'],
  ])('shows the value %j harmlessly', (value, shown) => {
    expect(formatTeamProblems([{ ...problem, value }])).toContain(`, not ${shown}; `);
  });

  it('shows the names of fields and members harmlessly', () => {
    const hostile = { ...problem, pointer: '/members/1/a\u001b[2J', member: 'b\u001b[2J' };
    expect(formatTeamProblems([hostile], 'c\u001b[2J')).toContain(
      'c<U+001B>[2J:12:7 members[1] "b<U+001B>[2J": `a<U+001B>[2J` ',
    );
  });

  it('stops after 50 lines and counts the rest', () => {
    const lines = formatTeamProblems(Array.from({ length: 60 }, () => problem)).split('\n');
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('… and 10 more');
  });
});

describe('describeTeamProblem', () => {
  it('is the sentence alone', () => {
    expect(describeTeamProblem({ code: 'DUPLICATE_KEY', pointer: '/limits/queue', value: undefined })).toBe(
      '`limits.queue` is written twice; remove one of the two',
    );
  });
});

describe('TeamFileError', () => {
  it('carries the code, the file and every problem', () => {
    const error = new TeamFileError([problem], 'huddle.jsonc');
    expect(error).toMatchObject({ code: 'TEAM_FILE_INVALID', file: 'huddle.jsonc', problems: [problem] });
    expect(error.message).toMatch(/^huddle\.jsonc is not valid:\nhuddle\.jsonc:12:7 /);
  });
});
