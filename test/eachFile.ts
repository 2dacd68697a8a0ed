import { afterAll, expect, vi } from 'vitest';
import { closeFile } from './afterFile.js';
import { isFast, SMOKES, watchStarts } from './tier.js';

// Runs before each file of tests, and after it. A process runs many files: each leaves it as it found it.

interface Found {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly folder: string;
  readonly umask: number;
  readonly hasFakeTimers: boolean;
}

function look(): Found {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    umask: process.umask(),
    hasFakeTimers: vi.isFakeTimers(),
  };
}

/** Every global by its name, and its value; undefined as long as it waits to be made at its first use. */
function lookAtGlobals(): ReadonlyMap<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
  return new Map(globals.map(([name, { value }]) => [name, value]));
}

const [found, globals] = [look(), lookAtGlobals()];
const tellStarts = watchStarts();

function isChanged([name, value]: readonly [string, unknown]): boolean {
  // Packages keep something there from when they are first loaded.
  if (name.startsWith('__')) return false;
  const before = globals.get(name);
  return before === undefined ? !globals.has(name) : !Object.is(value, before);
}

function isSmoke(path = ''): boolean {
  return Object.keys(SMOKES).some((file) => path.endsWith(`/${file}`));
}

afterAll(async () => {
  await closeFile();
  vi.restoreAllMocks(); // As vitest does after each file.
  expect(look()).toEqual(found);
  const starts = tellStarts();
  if (isFast && !isSmoke(expect.getState().testPath)) expect(starts).toEqual([]);
  expect([...lookAtGlobals()].filter(isChanged).map(([name]) => name)).toEqual([]);
});
