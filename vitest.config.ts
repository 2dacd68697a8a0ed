import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { findFolderInMemory } from './test/folderInMemory.js';
import { TEST_MILLISECONDS } from './test/timeLimit.js';

/** Tests that measure the memory or the descriptors of their process, or the peak of a child, which begins with theirs. */
const ALONE = ['test/soak/**/*.test.ts', 'test/agents/acp/{AcpAdapter,memory}.test.ts'];

/** Tests that start programs, and load little: to start one takes the longer the more memory a process has. */
const PROGRAMS = ['test/{cli,conformance,docs,mutations,scripts}/**/*.test.ts', 'test/package.test.ts'];

/** Tests whose subject is a process as a whole: `npm test` has none of them, see `test/tier.ts`. */
const PROCESSES = [
  'test/{conformance,docs,scripts,soak}/**/*.test.ts',
  'test/mutations/runMutations.test.ts',
  'test/{package,types,examples}.test.ts',
  'test/agents/acp/{AcpAdapter,cutOff,fileAccess,leftovers,memory,ownDeath,questions}.test.ts',
  'test/agents/process/{environment,heldOutput,leftovers,prepareFolder,probeCommand,runDialectTurn,spawnAgent,watchdog}.test.ts',
  'test/agents/command/command.test.ts',
  'test/agents/rehearsal/simulateAgents.test.ts',
  'test/architecture/addingAnAgent.test.ts',
];
const exclude = [...configDefaults.exclude, ...(process.env.HUDDLE_TESTS === 'fast' ? PROCESSES : [])];

const common = {
  restoreMocks: true,
  testTimeout: TEST_MILLISECONDS,
  hookTimeout: TEST_MILLISECONDS,
  // What is waited for is waited for as long as a test may take, on a busy machine too.
  expect: { poll: { timeout: TEST_MILLISECONDS } },
  setupFiles: ['test/eachFile.ts'],
};

const cores = availableParallelism();

const memory = findFolderInMemory();
if (memory !== undefined) process.env.TMPDIR ??= memory;

export default defineConfig({
  test: {
    reporters: ['default', './test/slowest.ts'],
    globalSetup: ['test/runFolder.ts', 'test/postgres/door.ts'],
    // Most tests wait for processes of their own, and those for others and for their limits: half of the time of a core.
    maxWorkers: Math.min(cores * 2, cores + 4),
    // One after the other in the order of their names: long files are at the beginning, and the last ones are short.
    projects: [
      { test: { ...common, name: 'alone', include: ALONE, exclude } },
      // A process runs many files, and loads what they share once: for most files that takes longer than their tests.
      { test: { ...common, name: 'programs', include: PROGRAMS, exclude, isolate: false } },
      {
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ALONE, ...PROGRAMS],
          isolate: false,
        },
      },
    ],
  },
});
