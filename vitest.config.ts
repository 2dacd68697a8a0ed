import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that measure the memory or the descriptors of their process, or the peak of a child, which begins with theirs. */
const ALONE = ['test/soak/**/*.test.ts', 'test/agents/acp/{AcpAdapter,memory}.test.ts'];

const common = { restoreMocks: true, testTimeout: 60_000, setupFiles: ['test/eachFile.ts'] };

export default defineConfig({
  test: {
    globalSetup: ['test/runFolder.ts', 'test/postgres/door.ts'],
    // Most tests wait for processes of their own, and those for others and for their limits: a third of the time of a core.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      // A process runs many files, and loads what they share once: for most files that takes longer than their tests.
      {
        test: { ...common, name: 'shared', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
      { test: { ...common, name: 'alone', include: ALONE } },
    ],
  },
});
