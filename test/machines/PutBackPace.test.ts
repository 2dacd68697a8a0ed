import { describe, expect, test } from 'vitest';
import { PutBackPace } from '../../src/machines/PutBackPace.js';

describe('the pace of a worker that puts jobs back', () => {
  function putBack(pace: PutBackPace, count: number): number[] {
    return Array.from({ length: count }, () => pace.next());
  }

  test('is a second while they are few, and up to five when they are many', () => {
    const pace = new PutBackPace(() => 0);
    const waits = putBack(pace, 200);
    expect(waits.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 1));
    expect([waits[20], waits[40], waits[60], waits[80], waits[199]]).toEqual([2, 3, 4, 5, 5]);
  });

  test('is a second again when they have become few', () => {
    let now = 0;
    const pace = new PutBackPace(() => now);
    expect(putBack(pace, 100).at(-1)).toBe(5);
    now = 1000;
    expect(pace.next()).toBe(1);
  });
});
