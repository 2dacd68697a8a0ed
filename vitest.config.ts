import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/postgres/door.ts'],
    restoreMocks: true,
    // Most tests wait for processes of their own, and those for others and for their limits: a third of the time of a core.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
  },
});
