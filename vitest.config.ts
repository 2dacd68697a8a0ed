import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    restoreMocks: true,
    // Most tests wait for processes of their own, so every core can have a file.
    maxWorkers: '100%',
    testTimeout: 60_000,
  },
});
