import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGENT_TYPES } from '../../src/models/AgentConfig.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

const NOUNS_AND_TOOLS = ['models/', 'utils/'];

/** Two files that sit where the documents put them, although they stand on higher layers. */
const DOCUMENTED_UTILS = ['utils/PromptBuilder.ts', 'utils/JsonlMessageFormatter.ts'];

interface ImportRule {
  /** A folder or a file; the first row that fits a file holds for it. */
  readonly of: readonly string[];
  readonly mayImport: readonly string[];
  readonly except?: readonly string[];
}

/** Which files may import which of ours. Files of one folder may always import each other. */
const RULES: readonly ImportRule[] = [
  { of: ['cli/'], mayImport: [''] },
  { of: ['index.ts', 'postgres.ts', 'createConversation.ts'], mayImport: [''], except: ['cli/'] },
  { of: ['catalogue/'], mayImport: NOUNS_AND_TOOLS, except: DOCUMENTED_UTILS },
  { of: DOCUMENTED_UTILS, mayImport: ['models/', 'utils/', 'context/', 'agents/'] },
  // An error has its sentence in English for its message.
  { of: ['models/errors.ts'], mayImport: ['catalogue/english/errors.ts'] },
  { of: ['models/', 'utils/'], mayImport: [], except: DOCUMENTED_UTILS },
  { of: ['config/'], mayImport: [...NOUNS_AND_TOOLS, 'catalogue/'], except: DOCUMENTED_UTILS },
  { of: ['markers/', 'markdown/', 'conversation/'], mayImport: NOUNS_AND_TOOLS, except: DOCUMENTED_UTILS },
  {
    of: ['store/'],
    mayImport: [...NOUNS_AND_TOOLS, 'markers/', 'conversation/', 'files/changes/'],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['routing/'],
    mayImport: [...NOUNS_AND_TOOLS, 'markers/', 'conversation/'],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['presentation/'],
    mayImport: [...NOUNS_AND_TOOLS, 'catalogue/', 'markers/', 'markdown/', 'conversation/', 'files/changes/'],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['context/index.ts'],
    mayImport: [...NOUNS_AND_TOOLS, 'markers/'],
    except: ['utils/JsonlMessageFormatter.ts'],
  },
  {
    of: ['context/'],
    mayImport: [...NOUNS_AND_TOOLS, 'markers/'],
    except: [...DOCUMENTED_UTILS, 'context/index.ts'],
  },
  { of: ['agents/'], mayImport: NOUNS_AND_TOOLS, except: DOCUMENTED_UTILS },
  { of: ['files/changes/'], mayImport: [...NOUNS_AND_TOOLS, 'conversation/'], except: DOCUMENTED_UTILS },
  {
    of: ['files/'],
    mayImport: [...NOUNS_AND_TOOLS, 'conversation/', 'routing/', 'agents/AgentManager.ts', 'coordinator/'],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['coordinator/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'markers/',
      'conversation/',
      'routing/',
      'context/',
      'agents/AgentAdapter.ts',
      'agents/AgentManager.ts',
      'files/',
      'store/Store.ts',
      'store/forkConversation.ts',
      'store/summary.ts',
    ],
    except: ['context/index.ts'],
  },
  {
    of: ['machines/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'conversation/',
      'coordinator/',
      'files/actions/',
      'files/changes/',
      'routing/',
      'agents/AgentAdapter.ts',
      'agents/AgentManager.ts',
      'store/',
    ],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['cassette/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'catalogue/',
      'conversation/',
      'routing/',
      'coordinator/',
      'files/changes/',
      'files/recorder/',
      'agents/AgentAdapter.ts',
      'agents/AgentManager.ts',
      'agents/cassette/',
      'store/Store.ts',
      'store/importConversation.ts',
      'store/storeErrors.ts',
    ],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['transcript/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'catalogue/',
      'markers/',
      'markdown/',
      'conversation/',
      'presentation/',
      'context/',
      'coordinator/',
      'store/Store.ts',
    ],
    except: [...DOCUMENTED_UTILS, 'context/index.ts'],
  },
  {
    of: ['replay/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'markers/',
      'conversation/',
      'coordinator/',
      'store/Store.ts',
      'store/forkConversation.ts',
    ],
    except: DOCUMENTED_UTILS,
  },
  // The browser's program: what runs in a browser, and the types of what it is sent.
  {
    of: ['frontends/web/page/'],
    mayImport: [...NOUNS_AND_TOOLS, 'catalogue/', 'markdown/', 'conversation/', 'presentation/'],
    except: DOCUMENTED_UTILS,
  },
  {
    of: ['frontends/'],
    mayImport: [
      ...NOUNS_AND_TOOLS,
      'catalogue/',
      'markdown/',
      'conversation/',
      'presentation/',
      'coordinator/',
      'files/actions/',
      'files/changes/',
      'transcript/',
      'context/types.ts',
      'store/Store.ts',
      'store/forkConversation.ts',
      'store/summary.ts',
    ],
  },
];

/** `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`, types among them. */
const IMPORT = /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm;

const SOURCE = /\.[cm]?tsx?$/;

const imports = readImports();

describe('the direction of imports', () => {
  it('has a rule for every file', () => {
    expect([...imports.keys()].filter((file) => ruleOf(file) === undefined)).toEqual([]);
  });

  it('is kept by every file', () => {
    const offences = ownImports().filter(([file, target]) => !isAllowed(file, target));
    expect(offences.map(describeImport)).toEqual([]);
  });

  it('leads only to files that exist', () => {
    const missing = ownImports().filter(([, target]) => !imports.has(target));
    expect(missing.map(describeImport)).toEqual([]);
  });

  it('never leads in a circle', () => {
    expect(findCircles()).toEqual([]);
  });
});

describe('agent-huddle/context', () => {
  it('needs nothing but our own files and Node', () => {
    const foreign = [...reachableFrom('context/index.ts')].flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => !imports.has(target) && !target.startsWith('node:'))
        .map((target) => describeImport([file, target])),
    );
    expect(foreign).toEqual([]);
  });
});

describe('the ACP SDK', () => {
  it('is loaded when an agent needs it, by what serves editors, and by the simulated agent, which is a program of its own', () => {
    const loading = [...imports.keys()].filter((file) =>
      /^import (?!type\b)[^;]*'@agentclientprotocol/mu.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(loading).toEqual(['agents/rehearsal/simulatedAgent.ts', 'frontends/acp/AcpServer.ts']);
  });
});

describe("the browser's program", () => {
  const page = 'frontends/web/page/';
  const pageImports = ownImports().filter(([file]) => file.startsWith(page));

  it('knows of the server what both work out alike and what goes over the wire, and of that the types', () => {
    const others = pageImports.filter(
      ([, target]) => target.startsWith('frontends/') && !target.startsWith(page),
    );
    expect([...new Set(others.map(([, target]) => target))].sort()).toEqual([
      'frontends/web/folds.ts',
      'frontends/web/routes.ts',
      'frontends/web/wire.ts',
    ]);
    const loading = pageFiles().filter((file) =>
      /^(?:import|export) (?!type\b)[^;]*\/(?:routes|wire)\.js'/mu.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );
    expect(loading).toEqual([]);
  });

  it('is imported by nobody', () => {
    const users = ownImports().filter(([file, target]) => target.startsWith(page) && !file.startsWith(page));
    expect(users.map(describeImport)).toEqual([]);
  });

  function pageFiles(): readonly string[] {
    return [...imports.keys()].filter((file) => file.startsWith(page));
  }
});

describe('a front end', () => {
  it('imports no other: what they share is presentation, and for those that write lines frontends/lines', () => {
    const roomOf = (file: string): string => file.split('/')[1] ?? '';
    const others = ownImports().filter(
      ([file, target]) =>
        file.startsWith('frontends/') &&
        target.startsWith('frontends/') &&
        ![roomOf(file), 'lines'].includes(roomOf(target)),
    );
    expect(others.map(describeImport)).toEqual([]);
  });
});

describe('colours for code', () => {
  it('are loaded when there is code to colour', () => {
    const loading = [...imports.keys()].filter((file) =>
      /^import (?!type\b)[^;]*\/highlightCode\.js'/mu.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(loading).toEqual([]);
  });
});

describe('a dialect', () => {
  const dialects = [...imports.keys()].flatMap((file) => /^agents\/\w+\/(?=dialect\.ts$)/u.exec(file) ?? []);
  const isPartOf = (folder: string, file: string) => file.startsWith(folder);

  it('stands on what dialects share, and starts no process', () => {
    const floor = [...NOUNS_AND_TOOLS, 'agents/dialect/', 'agents/AgentAdapter.ts'];
    const offences = ['agents/dialect/', ...dialects].flatMap((folder) =>
      ownImports().filter(([file, target]) => isPartOf(folder, file) && !covers([...floor, folder], target)),
    );
    expect(dialects.length).toBeGreaterThan(3);
    expect(offences.map(describeImport)).toEqual([]);
  });

  it('is known to the table of agents, and to nobody else', () => {
    const users = ownImports().filter(([file, target]) =>
      dialects.some((folder) => isPartOf(folder, target) && !isPartOf(folder, file)),
    );
    expect([...new Set(users.map(([file]) => file))]).toEqual(['agents/definitions.ts']);
  });
});

describe('the name of an agent type', () => {
  it('is compared and looked up nowhere: the rows of the table are asked', () => {
    const names = AGENT_TYPES.flatMap(({ type, aliases }) => [type, ...aliases]).join('|');
    const asking = new RegExp(
      `type\\)? [!=]== '(?:${names})'|(?:AgentType|Definition|Adapter)\\('(?:${names})'`,
      'iu',
    );
    const offences = [...imports.keys()].filter((file) =>
      asking.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(offences).toEqual([]);
  });
});

/** Every file under `src`, and what it imports: our files by their path under `src`, others by name. */
function readImports(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => SOURCE.test(file))
    .sort();
  const known = new Set(files);
  return new Map(files.map((file) => [file, importsOf(file, known)]));
}

function importsOf(file: string, known: ReadonlySet<string>): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const specifiers = Array.from(text.matchAll(IMPORT), ([, from, dynamic]) => from ?? dynamic ?? '');
  return [...new Set(specifiers)].map((specifier) =>
    specifier.startsWith('.') ? sourceOf(posix.join(dirname(file), specifier), known) : specifier,
  );
}

/** The source of a compiled file: `a.tsx` or `a.ts` of `a.js`. */
function sourceOf(target: string, known: ReadonlySet<string>): string {
  const elements = target.replace(/\.js$/, '.tsx');
  return known.has(elements) ? elements : target.replace(/\.([cm]?)js$/, '.$1ts');
}

function ownImports(): (readonly [file: string, target: string])[] {
  return [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => SOURCE.test(target)).map((target) => [file, target] as const),
  );
}

function ruleOf(file: string): ImportRule | undefined {
  return RULES.find(({ of }) => covers(of, file));
}

function isAllowed(file: string, target: string): boolean {
  const rule = ruleOf(file);
  if (rule === undefined || covers(rule.except ?? [], target)) return false;
  return firstFolder(file) === firstFolder(target) || covers(rule.mayImport, target);
}

function covers(places: readonly string[], file: string): boolean {
  return places.some((place) => place === file || (!SOURCE.test(place) && file.startsWith(place)));
}

function firstFolder(file: string): string {
  return file.slice(0, file.indexOf('/') + 1);
}

function describeImport([file, target]: readonly [string, string]): string {
  return `src/${file} imports ${imports.has(target) ? `src/${target}` : target}`;
}

/** Each circle once, as `a → b → a`. */
function findCircles(): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push([...path.slice(start), file].join(' → '));
    if (start !== -1 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) {
      if (imports.has(target)) follow(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  return circles;
}

function reachableFrom(start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const file of reached) {
    for (const target of imports.get(file) ?? []) if (imports.has(target)) reached.add(target);
  }
  return reached;
}
