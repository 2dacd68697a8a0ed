import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
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

/** The built program. */
const PROGRAM = /\bdist\/cli\/huddle\.js\b/u;

/**
 * Notes each start of Huddle as a program, from now until the function is called that is returned, which tells them: the fast
 * tier has none but those that `SMOKES` declares.
 */
export function watchStarts(): () => readonly string[] {
  const starts: string[] = [];
  const onProcess = (message: unknown) => {
    const { process } = message as { readonly process: ChildProcess };
    // Its words are set after this.
    queueMicrotask(() => {
      const words = process.spawnargs?.join(' ') ?? '';
      if (PROGRAM.test(words)) starts.push(words);
    });
  };
  channel('child_process').subscribe(onProcess);
  return () => {
    channel('child_process').unsubscribe(onProcess);
    return starts;
  };
}

/** Files of the fast tier that start Huddle as a program, and the reason. */
export const SMOKES: Readonly<Record<string, string>> = {
  'test/cli/spawned.test.ts':
    'each command once, to be compared with what it says in the process of the test',
};
