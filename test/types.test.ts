import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program of somebody else, as strict as can be. */
const PROGRAM = `
import { createConversation, defineTeam, describeTeamProblem, resumeConversation, SqliteStore, TeamFileError } from 'agent-huddle';
import type { AgentInput, Team, TeamInput } from 'agent-huddle';
import { ContextManager } from 'agent-huddle/context';
import { openPostgresStore, StoreOutOfReachError } from 'agent-huddle/postgres';

const reviewer: AgentInput = { name: 'reviewer', type: 'ai', agentType: 'opencode' };
const input: TeamInput = { members: [{ name: 'you', type: 'human' }, reviewer], limits: { usd: 2 } };
const team: Team = defineTeam(input);
const store = new SqliteStore({ file: 'a.sqlite' });
const { id } = await createConversation({ team, store, rehearsal: {} });
await resumeConversation({ id, team, store });
new ContextManager();
const shared = await openPostgresStore({ url: 'postgres://kim@db.example.org/huddle' });
await createConversation({ team, store: shared });

try {
  // @ts-expect-error: no such agent type
  defineTeam({ members: [{ name: 'max', type: 'ai', agentType: 'clod' }] });
  // @ts-expect-error: a command is needed
  defineTeam({ members: [{ name: 'tests', type: 'ai', agentType: 'command' }] });
  // @ts-expect-error: a slip in a field
  defineTeam({ members: [{ name: 'max', type: 'ai', agentType: 'claude', permision: 'read' }] });
  // @ts-expect-error: people have no model
  defineTeam({ members: [{ name: 'you', type: 'human', model: 'x' }] });
} catch (error) {
  if (error instanceof StoreOutOfReachError) console.error(error.code satisfies 'STORE_OUT_OF_REACH');
  if (error instanceof TeamFileError) console.error(error.problems.map(describeTeamProblem), error.code satisfies 'TEAM_FILE_INVALID');
}
`;

const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

describe('the types of the library', () => {
  it.each(Object.entries(RESOLUTIONS))('compile in a strict project with %s', (_name, resolution) => {
    expect(compile(PROGRAM, resolution)).toBe('');
  });

  it('have examples that compile', () => {
    const examples = findExamples();
    expect(examples.length).toBeGreaterThan(10);
    expect(compile(programOf(examples), RESOLUTIONS.nodenext)).toBe('');
  });
});

/** What the compiler has to say about a program that uses the built package. */
function compile(program: string, resolution: object): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-types-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'agent-huddle'));
  mkdirSync(join(folder, 'node_modules', '@types'));
  // Nothing but these: users have no others either.
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
  const compilerOptions = {
    ...resolution,
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, 'program.ts'), program);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' }).stdout;
}

/** The code of every `@example` in the declarations. */
function findExamples(): readonly string[] {
  const declarations = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  return declarations.flatMap((file) => {
    const text = readFileSync(join(root, 'dist', file), 'utf8');
    return [...text.matchAll(/@example\n\s*\* ```ts\n(?<code>[\s\S]*?)\s*\* ```/gu)].map(({ groups }) =>
      (groups?.code ?? '').replaceAll(/^\s*\* ?/gmu, ''),
    );
  });
}

/** Each example in a function of its own, in which there is what examples begin with. */
function programOf(examples: readonly string[]): string {
  const given =
    'team: huddle.Team, store: huddle.Store, id: huddle.ConversationId, turnId: huddle.TurnId, text: string, conversation: huddle.Conversation';
  const names = [
    ...new Set(examples.flatMap((code) => code.match(/\b(?:[a-z]+[A-Z]\w*|SqliteStore)(?=\()/gu) ?? [])),
  ];
  const exported = names.filter((name) =>
    new RegExp(`\\b${name}\\b`, 'u').test(readFileSync(join(root, 'dist', 'index.d.ts'), 'utf8')),
  );
  return [
    "import { writeFile } from 'node:fs/promises';",
    "import type * as huddle from 'agent-huddle';",
    `import { ${exported.join(', ')} } from 'agent-huddle';`,
    "import { openPostgresStore } from 'agent-huddle/postgres';",
    ...examples.map((code, index) => `export async function example${index}(${given}) {\n{\n${code}\n}\n}`),
  ].join('\n');
}
