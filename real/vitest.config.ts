import { defineConfig } from 'vitest/config';
import { HANGS_AFTER } from './patience.js';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    // Each file changes the environment of its process; two CLIs at a time are as much as two cores can do.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: HANGS_AFTER,
    hookTimeout: HANGS_AFTER,
    reporters: ['verbose'],
  },
});
