import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTeamProblem, formatTeamProblems } from '../../src/catalogue/teamProblems.js';
import { parseTeamFile } from '../../src/config/parseTeamFile.js';
import type { InstructionFiles } from '../../src/config/readRegularFile.js';
import { type ResolveOptions, resolveTeam, type TeamResult } from '../../src/config/resolveTeam.js';
import type { Team } from '../../src/models/Team.js';
import type { TeamProblem } from '../../src/models/TeamProblem.js';
import { isFull } from '../soak/isFull.js';
import { tries } from '../tier.js';
import { BAD_TEAM_FILES } from './badTeamFiles.js';

const human = { name: 'kailai', type: 'human' };
const agent = { name: 'max', type: 'ai', agentType: 'claude' };

describe('resolveTeam', () => {
  it('fills in the documented defaults', () => {
    expect(teamOf(resolveTeam({ version: 1, members: [human, agent] }))).toEqual({
      name: 'team',
      members: [
        { id: 'kailai', name: 'kailai', type: 'human' },
        {
          id: 'max',
          name: 'max',
          type: 'ai',
          agentType: 'claude-code',
          permission: 'read',
          allow: [],
          deny: [],
          memory: 'window',
          window: 20,
          visibility: 'all',
          env: 'inherit',
          workspace: 'shared',
          check: false,
        },
      ],
      routing: { fallback: 'human', fanout: 'sequential' },
      limits: {
        agentTurns: 20,
        pairTurns: 6,
        sameAnswer: 3,
        checkRounds: 3,
        addressees: 8,
        queue: 50,
        parallel: 8,
        idleMinutes: 10,
        turnMinutes: 30,
      },
      prices: [],
      context: { maxBytes: 786_432, guard: 'on' },
      files: { record: true, tell: 'names', readers: 'report', blind: 'copies', maxFileBytes: 16_777_216 },
    });
  });

  it('keeps everything the file says', () => {
    const instructionFiles: InstructionFiles = new Map([
      ['roles/max.md', { ok: true, path: '/project/roles/max.md', text: 'Be kind.' }],
    ]);
    const max = {
      ...agent,
      title: 'Architect',
      command: ['claude', '--verbose'],
      systemInstruction: ['You are Max.', '', 'You design.'],
      instructionFile: 'roles/max.md',
      model: 'sonnet',
      permission: 'full',
      allow: ['Bash(git *)'],
      deny: ['WebFetch'],
      memory: 'session',
      window: 0,
      visibility: 'addressed',
      env: 'minimal',
    };
    const file = {
      $schema: './huddle.schema.json',
      version: 1,
      name: 'auth-squad',
      task: 'Design a login',
      members: [human, max, { ...agent, name: 'sarah' }],
      routing: { fallback: 'round-robin', fanout: 'blind' },
      limits: { tokens: 1000, usd: 5, turnMinutes: 0.5 },
      prices: { 'x-ai/grok': { input: 1.25, cachedInput: 0.1, output: 10 } },
      context: { maxBytes: 4096, guard: 'fence' },
    };
    expect(teamOf(resolveTeam(file, { instructionFiles }))).toMatchObject({
      name: 'auth-squad',
      task: 'Design a login',
      members: [
        { name: 'kailai' },
        {
          ...max,
          agentType: 'claude-code',
          systemInstruction: 'You are Max.\n\nYou design.',
          instructionFile: '/project/roles/max.md',
          instructionFileText: 'Be kind.',
        },
        { name: 'sarah' },
      ],
      routing: { fallback: 'round-robin', fanout: 'blind' },
      limits: { tokens: 1000, usd: 5, turnMinutes: 0.5, idleMinutes: 10 },
      prices: [{ model: 'x-ai/grok', input: 1.25, cachedInput: 0.1, output: 10 }],
      context: { maxBytes: 4096, guard: 'fence' },
    });
  });

  it.each([
    ['Claude', 'claude-code'],
    [' codex ', 'openai-codex'],
    ['google-gemini', 'google-gemini'],
  ])('reads agent type %j as %s', (agentType, normalised) => {
    const team = teamOf(resolveTeam({ version: 1, members: [{ ...agent, agentType }] }));
    expect(team.members[0]).toMatchObject({ agentType: normalised });
  });

  it.each([
    ['opencode', ['opencode', 'acp']],
    [' Qwen ', ['qwen', '--acp']],
    ['copilot', ['copilot', '--acp']],
    ['codex-acp', ['codex-acp']],
    ['claude-agent-acp', ['claude-agent-acp']],
  ])('reads agent type %j as the ACP agent of that name', (agentType, command) => {
    const team = teamOf(resolveTeam({ version: 1, members: [{ ...agent, agentType }] }));
    expect(team.members[0]).toMatchObject({ agentType: 'acp', command });
  });

  it('keeps the command of an ACP agent by name that comes with its own', () => {
    const command = ['npx', '-y', 'opencode-ai', 'acp'];
    const named = { ...agent, agentType: 'opencode', command };
    expect(teamOf(resolveTeam({ version: 1, members: [named] })).members[0]).toMatchObject({
      agentType: 'acp',
      command,
    });
  });

  it('reads the type "agent" as "ai"', () => {
    const file = { version: 1, members: [human, { ...agent, type: 'agent' }] };
    expect(teamOf(resolveTeam(file, { interactive: true })).members[1]).toMatchObject({ type: 'ai' });
  });

  it('checks an agent of the type "agent" as well when something else is wrong', () => {
    const file = {
      version: 1,
      turns: 3,
      members: [human, { name: 'max', type: 'agent', agentType: 'command' }],
    };
    expect(problemsOf(resolveTeam(file)).map(({ code }) => code)).toEqual([
      'UNKNOWN_FIELD',
      'COMMAND_MISSING',
    ]);
  });

  it.each(['小明', '小明2', '阿Q', 'たろうさん', '김-철수', 'Zoë', 'Ольга', 'मोहन', 'x_1', '2'])(
    'accepts the name %s',
    (name) => {
      expect(teamOf(resolveTeam({ version: 1, members: [{ ...agent, name }] })).members[0]?.name).toBe(name);
    },
  );

  it('keeps names in composed form', () => {
    const team = teamOf(resolveTeam({ version: 1, members: [{ ...agent, name: 'Zoe\u0308' }] }));
    expect(team.members[0]?.name).toBe('Zo\u00eb');
  });

  it('lets every object carry x- fields and drops them', () => {
    const file = {
      'x-note': 1,
      version: 1,
      members: [{ ...agent, 'x-colour': 'red' }],
      limits: { 'x-why': '' },
      prices: { gpt: { input: 1, output: 2, 'x-source': '' } },
    };
    expect(JSON.stringify(teamOf(resolveTeam(file)))).not.toContain('x-');
  });
});

describe('a bad team file', () => {
  it('has at least 80 rows in this table', () => {
    expect(BAD_TEAM_FILES.length).toBeGreaterThanOrEqual(80);
  });

  it.each(BAD_TEAM_FILES)('is refused: %s', (_title, file, ...expected) => {
    expect(problemsOf(resolveTeam(file)).map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(expected);
  });

  it('with ten faults is told all ten at once', () => {
    const file = {
      version: 3,
      nmae: 'squad',
      members: [
        { ...agent, agentType: 'gemni', permission: 'wirte' },
        { ...agent, name: 'M-A-X', window: 'all' },
        { name: 'olga', type: 'ai', agentType: 'acp' },
        { name: 'next', type: 'humna' },
      ],
      limits: { agentTurns: -1 },
    };
    expect(problemsOf(resolveTeam(file)).map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'UNKNOWN_VALUE /version',
      'UNKNOWN_VALUE /members/0/agentType',
      'UNKNOWN_VALUE /members/0/permission',
      'WRONG_TYPE /members/1/window',
      'UNKNOWN_VALUE /members/3/type',
      'OUT_OF_RANGE /limits/agentTurns',
      'UNKNOWN_FIELD /nmae',
      'NAME_TAKEN /members/1/name',
      'NAME_RESERVED /members/3/name',
      'COMMAND_MISSING /members/2/command',
    ]);
  });

  it('gets the nearest right spelling of fields, values and agent types', () => {
    const file = {
      version: 1,
      memebrs: [],
      members: [{ ...agent, agentType: 'cladue', permision: 'read', memory: 'sesion' }],
    };
    expect(
      problemsOf(resolveTeam(file)).map((problem) => 'suggestion' in problem && problem.suggestion),
    ).toEqual(['claude', 'session', 'permission', 'members']);
  });

  it('never shows the content of an unknown field, which may be a secret', () => {
    const problems = problemsOf(resolveTeam({ version: 1, members: [agent], apiKey: 'sk-123456' }));
    expect(JSON.stringify(problems)).not.toContain('sk-123456');
  });

  it('without a person is refused only where one is expected', () => {
    const file = { version: 1, members: [agent] };
    expect(resolveTeam(file).ok).toBe(true);
    expect(problemsOf(resolveTeam(file, { interactive: true }))).toMatchObject([
      { code: 'NO_HUMAN', pointer: '/members' },
    ]);
  });

  it('names the way round when the only agent would answer itself', () => {
    const [problem] = problemsOf(
      resolveTeam({ version: 1, members: [agent], routing: { fallback: 'round-robin' } }),
    );
    expect(problem && describeTeamProblem(problem)).toContain('"max" -> "max"');
  });

  it('hands on what was wrong with its instruction files', () => {
    const options: ResolveOptions = {
      instructionFiles: new Map([
        ['a', { ok: false, code: 'INSTRUCTION_FILE_TOO_LARGE', fault: 'too-large', maxBytes: 7 }],
      ]),
    };
    const file = { version: 1, members: [{ ...agent, instructionFile: 'a' }] };
    expect(problemsOf(resolveTeam(file, options))).toEqual([
      {
        code: 'INSTRUCTION_FILE_TOO_LARGE',
        pointer: '/members/0/instructionFile',
        member: 'max',
        value: 'a',
        fault: 'too-large',
        maxBytes: 7,
      },
    ]);
  });
});

describe('system text', () => {
  const withTexts = (own: string, file: string) =>
    resolveTeam(
      {
        version: 1,
        members: [{ ...agent, systemInstruction: own, instructionFile: 'a' }],
        context: { maxBytes: 2000 },
      },
      { instructionFiles: new Map([['a', { ok: true, path: '/a', text: file }]]) },
    );

  it('may take half of the byte budget together with the instruction file', () => {
    expect(withTexts('é'.repeat(250), 'x'.repeat(500)).ok).toBe(true);
  });

  it('is refused one byte above half, naming the larger part', () => {
    expect(problemsOf(withTexts('é'.repeat(250), 'x'.repeat(501)))).toMatchObject([
      { code: 'SYSTEM_TEXT_TOO_LARGE', pointer: '/members/0/instructionFile' },
    ]);
  });
});

describe('a limit on money', () => {
  const members = [
    agent,
    { name: 'sarah', type: 'ai', agentType: 'codex', model: 'gpt' },
    { name: 'carol', type: 'ai', agentType: 'gemini' },
    { name: 'tests', type: 'ai', agentType: 'command', command: ['npm', 'test'] },
  ];
  const warningsOf = (file: object) => {
    const result = resolveTeam({ version: 1, members, ...file });
    return result.ok ? result.warnings.map(({ code, pointer }) => `${code} ${pointer}`) : result.problems;
  };

  it('warns about members whose price is not known', () => {
    expect(warningsOf({ limits: { usd: 5 } })).toEqual([
      'PRICE_UNKNOWN /members/1/model',
      'PRICE_UNKNOWN /members/2',
    ]);
  });

  it('is content with prices for the models', () => {
    expect(warningsOf({ limits: { usd: 5 }, prices: { gpt: { input: 1, output: 2 } } })).toEqual([
      'PRICE_UNKNOWN /members/2',
    ]);
  });

  it('is content with a limit on tokens beside it', () => {
    expect(warningsOf({ limits: { usd: 5, tokens: 1_000_000 } })).toEqual([]);
  });

  it('says nothing when there is none', () => {
    expect(warningsOf({})).toEqual([]);
  });
});

describe('random configurations', () => {
  const word = fc.oneof(
    fc.constantFrom('max', 'human', 'ai', 'claude', 'codex', 'acp', '__proto__', 'constructor', 'x-1', ''),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const leaf = fc.oneof(word, fc.double(), fc.integer(), fc.constant(null), fc.boolean(), fc.array(word));
  const key = fc.oneof(
    fc.constantFrom('name', 'type', 'agentType', 'command', 'systemInstruction', 'instructionFile', 'window'),
    word,
  );
  const loose = fc.dictionary(key, leaf, { maxKeys: 8 });
  const configuration = fc.record(
    {
      version: fc.oneof(fc.constant(1), leaf),
      name: leaf,
      task: leaf,
      members: fc.oneof(leaf, fc.array(fc.oneof(leaf, loose), { maxLength: 6 })),
      routing: fc.oneof(leaf, loose),
      limits: fc.oneof(leaf, loose),
      prices: fc.oneof(leaf, fc.dictionary(word, fc.oneof(leaf, loose))),
      context: fc.oneof(leaf, loose),
    },
    { requiredKeys: [] },
  );
  const numRuns = isFull ? 10_000 : tries(1_500);

  it('are accepted or described, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(configuration, fc.anything()), (file) => {
        const result = resolveTeam(file, { interactive: true });
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns },
    );
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });

  it('survive the way through text', () => {
    const text = fc.oneof(
      configuration.map((value) => JSON.stringify(value)),
      fc.json(),
      fc
        .array(fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', '1', '//', '/*', '*/', '\n', '\\'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseTeamFile(source);
        const result = parsed.ok ? resolveTeam(parsed.value) : parsed;
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        expect(formatTeamProblems(result.problems)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      }),
      { numRuns },
    );
  });
});

function teamOf(result: TeamResult): Team {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.team;
}

function problemsOf(result: TeamResult): readonly TeamProblem[] {
  if (result.ok) throw new Error('the team was accepted');
  return result.problems;
}
