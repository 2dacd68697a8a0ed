import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Size {
  readonly lines: number;
  readonly files: number;
  readonly smallWithOneUser: readonly string[];
}

const script = new URL('../../scripts/size.mjs', import.meta.url).href;
const { measure }: { measure: () => Size } = await import(script);
const ceilings = JSON.parse(readFileSync(new URL('../../size.json', import.meta.url), 'utf8'));

test('the source is within its ceilings, which only fall', () => {
  const { lines, files, smallWithOneUser } = measure();
  const measured: Record<string, number> = { lines, files, smallWithOneUser: smallWithOneUser.length };
  expect(Object.keys(ceilings)).toEqual(Object.keys(measured));
  expect(Object.entries(measured).filter(([name, count]) => count > ceilings[name])).toEqual([]);
});
