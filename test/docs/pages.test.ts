import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import { KNOWN_ACP_AGENTS } from '../../src/agents/acp/knownAgents.js';
import { AGENT_DEFINITIONS, findDefinition } from '../../src/agents/definitions.js';
import { words } from '../../src/catalogue/words.js';
import { REFUSALS, statusOf } from '../../src/frontends/web/refusals.js';
import { ROUTES } from '../../src/frontends/web/routes.js';
import { ACTIVITIES, PROGRESS, WARNINGS } from '../../src/models/schema/agentEvents.js';
import { FACTS } from '../../src/models/schema/events.js';
import { FAILURE_REASONS } from '../../src/models/schema/failures.js';
import { NOTICES } from '../../src/models/schema/notices.js';
import { conversationEventSchema } from '../../src/store/eventSchema.js';
import { codeIn, page, pages, root, sectionOf, tableRows } from './pages.js';

const EVENT_TYPES = [...Object.keys(FACTS), 'notice', 'turn-progress', 'files-progress'].toSorted();

describe('docs/events.md', () => {
  const events = page('docs/events.md');
  const examples = events.fences
    .filter(({ language }) => language === 'json')
    .map(({ text }) => JSON.parse(text));

  it('has a heading for every event and no other', () => {
    const headings = [...events.prose.matchAll(/^### `(.+)`$/gmu)].map(([, type]) => type);
    expect(headings.toSorted()).toEqual(EVENT_TYPES);
  });

  it('has an example of every event, as the published schema describes it', () => {
    const types = new Set(examples.map((example) => conversationEventSchema.parse(example).type));
    expect([...types].toSorted()).toEqual(EVENT_TYPES);
  });

  it('has everything an agent can say', () => {
    const said = Object.keys({ ...ACTIVITIES, ...PROGRESS, ...WARNINGS });
    expect(codeIn(events.prose)).toEqual(expect.arrayContaining(said));
  });

  it.each([
    ['notice', '### `notice`', NOTICES],
    ['failure', '### Failures', FAILURE_REASONS],
  ])('has every kind of %s with its fields', (_title, heading, shapes) => {
    const rows = tableRows(sectionOf(events, heading)).map(([name = '', fields = '']) => [
      ...codeIn(name),
      ...codeIn(fields),
    ]);
    expect(rows).toEqual(
      expect.arrayContaining(
        Object.entries(shapes).map(([name, { code, ...fields }]: [string, Record<string, unknown>]) => [
          name,
          ...Object.keys(fields),
        ]),
      ),
    );
  });
});

describe('docs/agents.md', () => {
  const agents = page('docs/agents.md');
  const models = { claude: 'sonnet', codex: 'gpt-5', gemini: 'gemini-2.5-pro' };

  it.each(Object.entries(models))('has the exact command lines of %s', (agentType, model) => {
    const shown = agents.fences
      .filter(({ language, text }) => language === 'sh' && text.includes(`\n${agentType} `))
      .flatMap(({ text }) => text.trimEnd().split('\n'));
    expect(shown).toEqual(
      (['read', 'edit', 'full'] as const).flatMap((permission) => [
        `# ${permission}`,
        commandLine(agentType, { model, permission }),
      ]),
    );
  });

  it('has the tested versions and the credentials of every agent', () => {
    const facts = AGENT_DEFINITIONS.flatMap(({ probe, credentialVariables }) => [
      ...(probe ? [probe.testedVersion] : []),
      ...credentialVariables,
    ]);
    expect(facts.filter((fact) => !agents.prose.includes(fact))).toEqual([]);
  });

  it('has every code of a failed turn', () => {
    const shown = tableRows(sectionOf(agents, '## How a turn is judged')).map(([code = '']) => code);
    const codes = Object.values(FAILURE_REASONS).flatMap(({ code }) =>
      'options' in code ? code.options : [...code.values],
    );
    const beside = ['TURN_TIMEOUT', 'TURN_CANCELLED', 'TURN_INTERRUPTED'];
    expect(shown.slice(2)).toEqual([...new Set<string>([...codes, ...beside])].map((code) => `\`${code}\``));
  });
});

describe('docs/terminal.md', () => {
  const terminal = page('docs/terminal.md');

  it('has every command and no other', () => {
    const shown = tableRows(sectionOf(terminal, '## Commands')).flatMap(([names = '']) => codeIn(names));
    expect(shown).toEqual(Object.keys(words.terminal.commands).map((name) => `/${name}`));
  });

  it('has every key', () => {
    const keys = words.terminal.keys.flatMap(([names]) => names.split(/, | (?=Enter)| twice/u));
    expect(codeIn(sectionOf(terminal, '## Keys'))).toEqual(expect.arrayContaining(keys.filter(Boolean)));
  });
});

describe('docs/web.md', () => {
  const web = page('docs/web.md');

  it('has every route with its role and its sentence, and no other', () => {
    const rows = tableRows(sectionOf(web, '## Use the API')).filter(([route = '']) =>
      route.includes(' /api/'),
    );
    expect(rows).toEqual(
      Object.values(ROUTES).map(({ method, path, role, does }) => [`\`${method} ${path}\``, role, does]),
    );
  });

  it('has every refusal of the server with its status', () => {
    const shown = tableRows(sectionOf(web, '## Use the API')).flatMap(([status, codes = '']) =>
      codeIn(codes).map((code) => [code, Number(status)]),
    );
    expect(shown).toEqual(expect.arrayContaining(Object.entries(REFUSALS)));
    const named = shown.filter(([code]) => /^[A-Z_]+[A-Z]$/u.test(String(code)));
    expect(named.filter(([code, status]) => statusOf(String(code)) !== status)).toEqual([]);
  });

  it('names a test for every line about security', () => {
    const rows = tableRows(sectionOf(web, '## Security')).filter(([number]) => Number(number) > 0);
    expect(rows.map(([number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [number, , tests = ''] of rows) {
      const files = codeIn(tests).map((file) => readFileSync(join(root, file), 'utf8'));
      expect(files.some((text) => text.includes(`describe('security ${number}: `))).toBe(true);
    }
  });
});

describe('docs/adapters.md', () => {
  const { prose } = page('docs/adapters.md');

  it('has every program and the version it was tested with', () => {
    const programs = [
      ...AGENT_DEFINITIONS.flatMap(({ label, probe }) => (probe ? [[label, probe.testedVersion]] : [])),
      ...KNOWN_ACP_AGENTS.map(({ command, testedVersion }) => [command.join(' '), testedVersion]),
    ];
    const missing = programs.filter((facts) => !tableRows(prose).some((row) => isRowOf(row, facts)));
    expect(missing).toEqual([]);
  });

  it('has the modes of every known ACP agent', () => {
    const rows = tableRows(prose).map((row) => row.map(codeIn));
    for (const { id, modes, askingModes } of KNOWN_ACP_AGENTS.filter(({ askingModes: [first] }) => first)) {
      const shown = rows.find(([name, ...cells]) => name?.includes(id) && cells.length === 4);
      expect(shown?.slice(1).map(([first]) => first)).toEqual([
        modes.read[0],
        modes.edit[0],
        modes.full[0],
        askingModes[0],
      ]);
    }
  });

  function isRowOf(row: readonly string[], facts: readonly string[]): boolean {
    return facts.every((fact) => row.join(' ').includes(fact));
  }
});

describe('docs/library.md', () => {
  it('has every export of the package and no other', () => {
    const section = sectionOf(page('docs/library.md'), '## All exports');
    const shown = tableRows(section).flatMap(([names = '']) => codeIn(names));
    expect(shown.toSorted()).toEqual([...new Set(exportsOf('index.ts'))].toSorted());
  });
});

describe('links', () => {
  const documents = [
    ...pages,
    ...['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions/README.md'].map((path) => ({
      path,
      prose: readFileSync(join(root, path), 'utf8'),
    })),
  ];

  it.each(documents)('of $path lead somewhere', ({ path, prose }) => {
    const targets = [...prose.matchAll(/\]\((?!\w+:)([^)\s]+)\)/gu)].map(([, target = '']) => target);
    expect(targets.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });

  it('lead from the index to every page', () => {
    const index = page('docs/README.md').prose;
    const missing = pages.filter(
      ({ path }) => path !== 'docs/README.md' && !index.includes(`${path.split('/').at(-1)}`),
    );
    expect(missing).toEqual([]);
  });
});

function commandLine(agentType: string, choice: Pick<TurnRequest, 'model' | 'permission'>): string {
  const invocation = findDefinition(agentType)?.dialect?.prepare({
    ...choice,
    memberName: 'max',
    prompt: 'Hello',
    systemFlag: '<system prompt>',
    workingFolder: root,
    session: { kind: 'new' },
    env: 'inherit',
    limits: { idleMilliseconds: 1, totalMilliseconds: 1 },
  });
  const words = [...(invocation?.command ?? []), ...(invocation?.args ?? [])];
  return words
    .map((word) => (typeof word === 'string' ? word : word.file))
    .map((word) => (word.includes(' ') ? `'${word}'` : word))
    .join(' ');
}

/** The names a module exports, followed through `export *`. */
function exportsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gmsu)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/\btype\b/u, '').trim()),
  );
  const declared = [...source.matchAll(/^export (?:interface|type|const|class|function) (\w+)/gmu)].map(
    ([, name = '']) => name,
  );
  const passedOn = [...source.matchAll(/^export (?:type )?\* from '\.\/(.+)\.js'/gmu)].flatMap(
    ([, module = '']) => exportsOf(`${module}.ts`),
  );
  return [...listed.filter((name) => name !== ''), ...declared, ...passedOn];
}

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, from) : join(root, dirname(from), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
