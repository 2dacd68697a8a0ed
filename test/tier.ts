import { TestRunner } from 'vitest';

/** Whether this is `npm test`, the fast tier: what runs in the process of the test. */
export const isFast = process.env.HUDDLE_TESTS === 'fast';

/**
 * Called by whatever starts a program that is the subject of a test: the tier of a test follows from what it does. In the fast
 * tier the test is left to `npm run test:all`.
 */
export function startsProgram(): void {
  if (!isFast) return;
  const current = TestRunner.getCurrentTest();
  if (current === undefined) throw new Error('Before a test no program is started: see test/tier.ts');
  current.context.skip('It starts programs: npm run test:all');
}

/** How often a property is tried: in the fast tier a tenth of it. */
export function tries(whole: number): number {
  return isFast ? Math.ceil(whole / 10) : whole;
}
