import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** `toStrictEqual` for properties: thousands of runs agree, and only one that does not needs to be explained. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected);
}

export function expectTrue(claim: boolean, what: string): void {
  if (!claim) expect.fail(what);
}
