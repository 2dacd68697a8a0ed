import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    // Each file changes the environment of its process; two CLIs at a time are as much as two cores can do.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 30_000,
    reporters: ['verbose'],
  },
});
