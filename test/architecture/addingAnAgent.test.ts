import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** All that is written to add an agent type: a row at the top of a table, or a file in a new folder. */
const ROWS: ReadonlyArray<{ readonly file: string; readonly before: string; readonly row: string }> = [
  {
    file: 'models/AgentConfig.ts',
    before: 'export const AGENT_TYPES: readonly AgentTypeInfo[] = [\n',
    row: `{
      type: 'acme-pilot',
      aliases: ['pilot'],
      label: 'Pilot',
      command: ['pilot'],
      installHint: 'npm install -g pilot',
      layout: 'plain-text',
      credentialVariables: ['PILOT_KEY'],
      reports: 'nothing',
      hasToolLists: false,
      keepsToPermission: false,
    },\n`,
  },
  {
    file: 'agents/definitions.ts',
    before: 'const behaviours: Readonly<Record<AgentType, AgentBehaviour>> = {\n',
    row: `'acme-pilot': {
      ...processPerTurn(pilotDialect),
      probe: { testedVersion: '1.2.3' },
      capabilities: { sessions: ['new'], streamsText: false, reports: 'nothing' },
    },\n`,
  },
];
const IMPORT = "import { pilotDialect } from './pilot/dialect.js';\n";
const DIALECT = `import type { Dialect } from '../dialect/Dialect.js';

export const pilotDialect: Dialect = {
  output: 'plain-text',
  prepare: ({ prompt }) => ({ command: ['pilot'], args: [], env: {}, files: [], stdin: prompt }),
  createReader: () => ({ read: () => [], verdict: undefined }),
};
`;

/** Says its version, or what it was asked and which keys it has. */
const PROGRAM = `#!/bin/sh
if [ "$1" = --version ]; then echo 1.2.3; exit; fi
echo "$(cat) $PILOT_KEY $OPENAI_API_KEY"
`;

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-adding-')));
const source = join(copy, 'src');
const environment = {
  PATH: `${copy}:/usr/bin:/bin`,
  HOME: copy,
  PILOT_KEY: 'mine',
  OPENAI_API_KEY: 'theirs',
};

beforeAll(() => {
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(project, name), join(copy, name));
  for (const { file, before, row } of ROWS) edit(file, (text) => insertAfter(text, before, row));
  edit('agents/definitions.ts', (text) => IMPORT + text);
  mkdirSync(join(source, 'agents/pilot'));
  writeFileSync(join(source, 'agents/pilot/dialect.ts'), DIALECT);
  writeFileSync(join(copy, 'pilot'), PROGRAM);
  chmodSync(join(copy, 'pilot'), 0o755);
});
afterAll(() => rmSync(copy, { recursive: true }));

test('the page names two rows and a folder', () => {
  const page = readFileSync(join(project, 'docs/architecture.md'), 'utf8');
  const [, sentence = ''] =
    /^- \*\*An agent type\*\*: ([^;]*?)\. /mu.exec(page.replaceAll(/\n {2}/gu, ' ')) ?? [];
  const named = Array.from(sentence.matchAll(/`([^`]+)`/gu), ([, place]) => place);
  const [row, behaviour] = ROWS;
  expect(named).toEqual([row?.file, 'agents/', behaviour?.file]);
});

test('the compiler asks for nothing more', () => {
  const compile = () =>
    execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', join(copy, 'tsconfig.json')], {
      encoding: 'utf8',
    });
  edit('../tsconfig.json', (text) => text.replace(/"include": \[.*?\]/u, '"include": ["src"]'));
  expect(compile()).toBe('');
});

test('team files, detection, keys, turns and rehearsals know it', async () => {
  const { resolveTeam } = await load('config/resolveTeam.ts');
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'pilot' },
  ];
  const { team } = resolveTeam({ version: 1, name: 'team', members }, { interactive: true });
  const max = team.members[1];
  expect(max).toMatchObject({ agentType: 'acme-pilot' });

  const { detectAgents } = await load('agents/detectAgents.ts');
  expect(await detectAgents({ environment, workingFolder: project })).toContainEqual(
    expect.objectContaining({ type: 'acme-pilot', file: join(copy, 'pilot'), version: '1.2.3' }),
  );

  const { AgentManager } = await load('agents/AgentManager.ts');
  const { createAdapter } = await load('agents/definitions.ts');
  const ask = (options: object) =>
    new AgentManager({
      workingFolder: project,
      createAdapter: (type: string) => createAdapter(type, { environment, ...options }),
    }).send(max, '[MESSAGE]\nHello');
  expect(await ask({})).toBe('[MESSAGE]\nHello mine');
  expect(await ask({ rehearsal: {} })).toBe('max here, in rehearsal. I was asked: "Hello".');
});

test('nobody else gets its key', async () => {
  const { childEnvironment } = await load('agents/process/environment.ts');
  const choice = { parent: environment, mode: 'inherit', ownCredentials: [], extra: {}, marker: 'm' };
  expect(childEnvironment(choice)).not.toHaveProperty('PILOT_KEY');
});

/** A module of the copy, whose types are only known once it is made. */
// biome-ignore lint/suspicious/noExplicitAny: what is loaded is checked by what it does.
function load(file: string): Promise<any> {
  return import(join(source, file));
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(source, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function insertAfter(text: string, before: string, row: string): string {
  expect(text.split(before)).toHaveLength(2);
  return text.replace(before, before + row);
}
