import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AgentInput, AgentTypeName, TeamInput } from '../../src/config/defineTeam.js';
import { defineTeam } from '../../src/config/defineTeam.js';
import { TeamFileError } from '../../src/config/readRegularFile.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import { FIELDS } from '../../src/config/teamSchema.js';
import { AGENT_TYPE_NAMES } from '../../src/models/knownPrograms.js';
import type { Team } from '../../src/models/Team.js';

const input: TeamInput = {
  members: [
    { name: 'you', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude' },
    { name: 'tests', type: 'agent', agentType: 'command', command: ['npm', 'test'], 'x-note': 'mine' },
  ],
  limits: { usd: 2 },
};

describe('defineTeam', () => {
  it('is the team that the same file would be', () => {
    const result = resolveTeam({ version: 1, ...input });
    expect(result).toMatchObject({ ok: true, team: defineTeam(input) });
    expectTypeOf(defineTeam(input)).toEqualTypeOf<Team>();
  });

  it('throws everything that is wrong at once', () => {
    const define = (): Team =>
      defineTeam({ members: [{ name: 'a b', type: 'ai', agentType: 'claude', window: -1 }] });
    expect(define).toThrow(TeamFileError);
    expect(define).toThrow(
      'The team is not valid:\nmembers[0] "a b": `window` must be at least 0, not -1 [OUT_OF_RANGE]\nmembers[0] "a b": `name` must be',
    );
  });

  it('refuses a team without a person where one is expected', () => {
    const agents: TeamInput = { members: [{ name: 'max', type: 'ai', agentType: 'claude' }] };
    expect(defineTeam(agents).members).toHaveLength(1);
    expect(() => defineTeam(agents, { interactive: true })).toThrow('NO_HUMAN');
  });
});

describe('TeamInput', () => {
  it('wants a known agent type, and a command where that has no program', () => {
    expectTypeOf<{ name: string; type: 'ai'; agentType: 'acp' }>().not.toExtend<AgentInput>();
    expectTypeOf<{ name: string; type: 'ai'; agentType: 'clod' }>().not.toExtend<AgentInput>();
    expectTypeOf<{ name: string; type: 'ai'; agentType: 'acp'; command: string[] }>().toExtend<AgentInput>();
  });

  it('names every agent type of the schema', () => {
    const names = wordsOf(/^ {2}\| '([\w-]+)'/gmu);
    expect(names).toEqual([...AGENT_TYPE_NAMES]);
    expectTypeOf<'opencode'>().toExtend<AgentTypeName>();
  });

  it('has every field of the schema, with the same words and defaults, but no file to read', () => {
    const shown = fieldsOf(source);
    const described = fieldsOf(schemaDescriptions());
    expect(shown.filter((field) => !described.includes(field))).toEqual([]);
    const names = new Set(shown.map((field) => field.split(': ')[0]));
    const missing = [...FIELDS.team, ...FIELDS.human, ...FIELDS.ai].filter((name) => !names.has(name));
    expect(missing).toEqual(['instructionFile']);
  });
});

const source = readFileSync(new URL('../../src/config/defineTeam.ts', import.meta.url), 'utf8');

function wordsOf(pattern: RegExp): readonly string[] {
  return [...source.matchAll(pattern)].map(([, word = '']) => word);
}

/** `name: description` of every described field in a text of TypeScript. */
function fieldsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\* (.+) \*\/\n {2}readonly ([\w$]+)\??: /gu)].map(
    ([, description = '', name = '']) => `${name}: ${description}`,
  );
}

/** The same of the published schema. */
function schemaDescriptions(): string {
  const file = new URL('../../schema/huddle.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const members: readonly { properties: object }[] = schema.properties.members.items.oneOf;
  return [schema, ...members]
    .flatMap(({ properties }) => Object.entries<FieldSchema>(properties))
    .map(([name, field]) => `/** ${field.description}${defaultOf(field)} */\n  readonly ${name}: `)
    .join('\n');
}

interface FieldSchema {
  readonly description?: string;
  readonly default?: unknown;
}

/** Defaults that are a word; empty lists and objects need none. */
function defaultOf({ default: value }: FieldSchema): string {
  return value === undefined || typeof value === 'object' ? '' : ` Default: ${JSON.stringify(value)}.`;
}
