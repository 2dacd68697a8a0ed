import { expect, test } from 'vitest';
import { createBreather } from '../../src/utils/createBreather.js';

test('asks for a break only after a while of work, and counts from the break on', async () => {
  let now = 0;
  const breathe = createBreather(() => now);
  now = 7;
  expect(breathe()).toBeUndefined();
  now = 9;
  let hasOtherRun = false;
  setImmediate(() => {
    hasOtherRun = true;
  });
  await breathe();
  expect(hasOtherRun).toBe(true);
  now = 16;
  expect(breathe()).toBeUndefined();
});
