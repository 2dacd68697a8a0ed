import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseTeamFile } from '../../../config/parseTeamFile.js';
import { readRegularFile, UnreadableFileError } from '../../../config/readRegularFile.js';

/** Files of a project by name, with their texts; of a file that only has to be there the text may be empty. */
type ProjectFiles = ReadonlyMap<string, string>;

/** The command that runs the tests of a project. */
export interface FoundTests {
  /** Name of the file that says so. */
  readonly file: string;
  readonly command: readonly string[];
  /** Command that a fresh copy of the folder needs before, since it has no ignored files. */
  readonly setup?: readonly string[];
}

type Finding = Omit<FoundTests, 'file'> | undefined;

/** The command of a kind of project by the file that tells its kind; the first that is sure counts. */
const RULES: Readonly<Record<string, (text: string, files: ProjectFiles) => Finding>> = {
  'package.json': findPackageScript,
  'deno.json': findDenoTask,
  'deno.jsonc': findDenoTask,
  'Cargo.toml': () => ({ command: ['cargo', 'test'] }),
  'go.mod': () => ({ command: ['go', 'test', './...'] }),
  'pytest.ini': (_text, files) => runPytest(files),
  'pyproject.toml': findPytest,
  'tox.ini': findPytest,
  'setup.cfg': findPytest,
  Gemfile: (text) => (/\brspec/u.test(text) ? { command: ['bundle', 'exec', 'rspec'] } : undefined),
  'mix.exs': () => ({ command: ['mix', 'test'], setup: ['mix', 'deps.get'] }),
  'composer.json': findComposerScript,
  'pom.xml': () => ({ command: ['mvn', 'test'] }),
  GNUmakefile: findMakeTarget,
  makefile: findMakeTarget,
  Makefile: findMakeTarget,
};

interface PackageManager {
  readonly name: string;
  readonly locks: readonly string[];
  readonly test: readonly string[];
  readonly install: readonly string[];
}

const NPM: PackageManager = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  test: ['test'],
  install: ['ci'],
};

/** npm comes last: locks of its own are often left over. */
const PACKAGE_MANAGERS: readonly PackageManager[] = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], test: ['test'], install: ['install', '--frozen-lockfile'] },
  { name: 'yarn', locks: ['yarn.lock'], test: ['test'], install: ['install'] },
  // `bun test` would run its own tests and not the script.
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], test: ['run', 'test'], install: ['install'] },
  NPM,
];

const PYTHON_LOCKS = ['uv.lock', 'poetry.lock'] as const;

/** Names of the files whose text is looked at. */
const PROJECT_FILES: readonly string[] = Object.keys(RULES);

/** Names of the files that only have to be there. */
const LOCK_FILES: readonly string[] = [...PACKAGE_MANAGERS.flatMap(({ locks }) => locks), ...PYTHON_LOCKS];

/** Finds the command that runs the tests of a project, where its files leave no doubt. */
export function findTestCommand(files: ProjectFiles): FoundTests | undefined {
  for (const [file, find] of Object.entries(RULES)) {
    const text = files.get(file);
    const finding = text === undefined ? undefined : find(text, files);
    if (finding !== undefined) return { file, ...finding };
  }
  return undefined;
}

/** The script of a new package, as `npm init` writes it. */
const PLACEHOLDER = /no test specified/u;
/** Options with which tests never end. */
const WATCHING = /--watch(?:All)?(?![\w=]|\s+false)/u;

function findPackageScript(text: string, files: ProjectFiles): Finding {
  const { scripts, packageManager, dependencies, devDependencies } = fieldsIn(text);
  const script = fieldsOf(scripts).test;
  if (typeof script !== 'string' || script.trim() === '') return undefined;
  if (PLACEHOLDER.test(script) || WATCHING.test(script)) return undefined;
  const manager = managerOf(packageManager, files);
  const hasDependencies = Object.keys({ ...fieldsOf(dependencies), ...fieldsOf(devDependencies) }).length > 0;
  return {
    command: [manager.name, ...manager.test],
    ...(hasDependencies && { setup: [manager.name, ...installWords(manager, files)] }),
  };
}

/** The manager that the package names, else that of the lock. */
function managerOf(named: unknown, files: ProjectFiles): PackageManager {
  const isNamed = ({ name }: PackageManager): boolean =>
    typeof named === 'string' && named.startsWith(`${name}@`);
  return PACKAGE_MANAGERS.find(isNamed) ?? PACKAGE_MANAGERS.find(({ locks }) => hasAny(files, locks)) ?? NPM;
}

/** `npm ci` needs a lock. */
function installWords(manager: PackageManager, files: ProjectFiles): readonly string[] {
  return hasAny(files, manager.locks) ? manager.install : ['install'];
}

function findDenoTask(text: string): Finding {
  return fieldsOf(fieldsIn(text).tasks).test === undefined
    ? undefined
    : { command: ['deno', 'task', 'test'] };
}

function findComposerScript(text: string): Finding {
  const isThere = fieldsOf(fieldsIn(text).scripts).test !== undefined;
  return isThere ? { command: ['composer', 'test'], setup: ['composer', 'install'] } : undefined;
}

function findPytest(text: string, files: ProjectFiles): Finding {
  return /\bpytest\b/u.test(text) ? runPytest(files) : undefined;
}

/** Runs pytest in the environment that the lock belongs to, which is made where it is missing. */
function runPytest(files: ProjectFiles): Finding {
  const lock = PYTHON_LOCKS.find((name) => files.has(name));
  return { command: lock === undefined ? ['pytest'] : [lock.replace('.lock', ''), 'run', 'pytest'] };
}

function findMakeTarget(text: string): Finding {
  return /^test[ \t]*:(?![:=])/mu.test(text) ? { command: ['make', 'test'] } : undefined;
}

function hasAny(files: ProjectFiles, names: readonly string[]): boolean {
  return names.some((name) => files.has(name));
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseTeamFile(text);
  return parsed.ok ? fieldsOf(parsed.value) : {};
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const MAX_BYTES = 1024 * 1024;

/** Reads the files of a folder that tell how its tests are run. Runs nothing. */
export async function readProjectFiles(folder: string): Promise<ProjectFiles> {
  const files = new Map<string, string>();
  for (const name of PROJECT_FILES) {
    const text = await readText(join(folder, name));
    if (text !== undefined) files.set(name, text);
  }
  for (const name of LOCK_FILES) if (existsSync(join(folder, name))) files.set(name, '');
  return files;
}

/** A file that is not there or cannot be read says nothing about tests. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}
