import { describe, expect, it } from 'vitest';
import { TeamFileError } from '../../src/config/TeamFileError.js';
import { formatTeamProblems, type TeamProblem } from '../../src/config/TeamProblem.js';

const problem: TeamProblem = {
  code: 'UNKNOWN_VALUE',
  pointer: '/members/1/agentType',
  value: 'cladue',
  reason: 'must be one of "claude", "codex"',
  suggestion: 'claude',
  position: { line: 12, column: 7 },
};

describe('formatTeamProblems', () => {
  it('says place, field, value, reason, the nearest right spelling and the code', () => {
    expect(formatTeamProblems([problem])).toBe(
      '12:7 /members/1/agentType "cladue" must be one of "claude", "codex"; did you mean "claude"? [UNKNOWN_VALUE]',
    );
  });

  it('leaves out what is not known', () => {
    expect(
      formatTeamProblems([{ code: 'NO_AGENT', pointer: '', value: undefined, reason: 'has no agent' }]),
    ).toBe('the file has no agent [NO_AGENT]');
  });

  it.each([
    ['\u001b]52;c;AAAA\u0007', '"<U+001B>]52;c;AAAA<U+0007>"'],
    ['max\u202e\n', '"max<U+202E><U+000A>"'],
    ['\ud83e', '"<U+D83E>"'],
    ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
    [['a', 'b'], 'a list of 2'],
    [{}, 'an object'],
    [null, 'null'],
    [1.5, '1.5'],
  ])('shows the value %j harmlessly', (value, shown) => {
    expect(formatTeamProblems([{ ...problem, value }])).toContain(` ${shown} must be`);
  });

  it('shows an unknown field harmlessly', () => {
    expect(formatTeamProblems([{ ...problem, pointer: '/a\u001b[2J' }])).toContain('/a<U+001B>[2J ');
  });

  it('stops after 50 lines and counts the rest', () => {
    const lines = formatTeamProblems(Array.from({ length: 60 }, () => problem)).split('\n');
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('… and 10 more');
  });
});

describe('TeamFileError', () => {
  it('carries the code, the file and every problem', () => {
    const error = new TeamFileError([problem], 'huddle.jsonc');
    expect(error).toMatchObject({ code: 'TEAM_FILE_INVALID', file: 'huddle.jsonc', problems: [problem] });
    expect(error.message).toMatch(/^huddle\.jsonc is not valid:\n12:7 /);
  });
});
