import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
const { mutations }: { mutations: readonly Mutation[] } = await import(
  join(root, 'test', 'mutations', 'table.mjs')
);

test.each(mutations)('there is one place in the source where it can be made so that $name', (mutation) => {
  const source = readFileSync(join(root, mutation.file), 'utf8');
  expect(source.split(mutation.find)).toHaveLength(2);
  expect(mutation.replace).not.toBe(mutation.find);
});

test('no two mutations have the same name', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
});
