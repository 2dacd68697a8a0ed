import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';

const huddle = fileURLToPath(new URL('../..', import.meta.url));

type RunMutations = (options: {
  root: string;
  mutations: readonly object[];
  say: (line: string) => void;
}) => Promise<boolean>;
const { runMutations }: { runMutations: RunMutations } = await import(
  join(huddle, 'test', 'mutations', 'runMutations.mjs')
);

const SOURCE = 'export const add = (one: number, other: number): number => one + other;\n';
const TEST = `import { expect, test } from 'vitest';
import { add } from '../src/add.js';
test('--adds (well)', () => expect(add(1, 2)).toBe(3));
test('adds nothing', () => expect(add(0, 0)).toBe(0));
test('adds badly', () => expect(add(1, 2)).toBe(4));
`;

/** A project of one function and its tests. */
function createProject(): string {
  const root = makeTemporaryFolder();
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'src', 'add.ts'), SOURCE);
  writeFileSync(join(root, 'test', 'add.test.ts'), TEST);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  const compilerOptions = { strict: true, module: 'NodeNext', types: [], skipLibCheck: true };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(root, 'tsconfig.build.json'), '{ "extends": "./tsconfig.json", "include": ["src"] }');
  symlinkSync(join(huddle, 'node_modules'), join(root, 'node_modules'));
  return root;
}

async function mutate(...mutations: readonly object[]) {
  const root = createProject();
  const said: string[] = [];
  const place = { file: 'src/add.ts', find: 'one + other', replace: 'one - other', test: 'test/add.test.ts' };
  const isNoticed = await runMutations({
    root,
    mutations: mutations.map((mutation) => ({ ...place, title: '--adds (well)', ...mutation })),
    say: (line) => said.push(line.replace(/\(\d+ s\)/u, '(N s)')),
  });
  expect(readFileSync(join(root, 'src', 'add.ts'), 'utf8')).toBe(SOURCE);
  return { isNoticed, said };
}

describe('mutations of a project', { timeout: 120_000 }, () => {
  test('are noticed when the named test fails', async () => {
    const { isNoticed, said } = await mutate({ name: 'it subtracts' });
    expect(said).toEqual(['✓ it subtracts (N s)', '1 of 1 noticed']);
    expect(isNoticed).toBe(true);
  });

  test('are not noticed when it passes, when they cannot be made, and when they are no program', async () => {
    const { isNoticed, said } = await mutate(
      { name: 'subtracts nothing', title: 'adds nothing' },
      { name: 'has moved', find: 'first + second' },
      { name: 'is there twice', find: 'number' },
      { name: 'is no number', replace: '"3"' },
      { name: 'breaks off', find: SOURCE, replace: `${SOURCE}throw new Error("broken");\n` },
    );
    expect(said).toEqual([
      '✗ subtracts nothing (N s): "adds nothing" of test/add.test.ts passes',
      '✗ has moved (N s): src/add.ts has 0 times, not once: first + second',
      '✗ is there twice (N s): src/add.ts has 3 times, not once: number',
      expect.stringMatching(/^✗ is no number \(N s\): it is not a valid program:\nsrc\/add\.ts.*TS2322/u),
      '✗ breaks off (N s): test/add.test.ts could not be run: broken',
      '0 of 5 noticed',
    ]);
    expect(isNoticed).toBe(false);
  });

  test('are not tried when a named test is missing or fails without them', async () => {
    const { isNoticed, said } = await mutate(
      { name: 'it subtracts' },
      { name: 'it divides', title: 'divides' },
      { name: 'it adds', title: 'adds badly' },
    );
    expect(said).toEqual([
      'it divides: test/add.test.ts has no test "divides"',
      expect.stringMatching(/^it adds: "adds badly" fails as it is: AssertionError: expected 3 to be 4/u),
    ]);
    expect(isNoticed).toBe(false);
  });
});
