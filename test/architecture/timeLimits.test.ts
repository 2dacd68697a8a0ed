import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { TEST_MILLISECONDS } from '../timeLimit.js';

const tests = fileURLToPath(new URL('../', import.meta.url));

/** Functions of vitest, and of ours, that take a limit. */
const LIMITED = new Set([
  ...['test', 'it', 'describe', 'onTestFinished', 'onTestFailed'],
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach'],
]);

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.d)\.ts$/u.test(file),
);

test('no test has less time than the global limit: it would fail where the machine is busy', () => {
  const constants = new Map<string, Node>();
  const given: { readonly limit: Node; readonly place: () => string }[] = [];
  for (const file of files) {
    const text = readFileSync(join(tests, file), 'utf8');
    visit(parseAst(text, { lang: 'ts' }) as unknown as Node, (node) => {
      for (const [name, value] of constantsIn(node)) constants.set(name, value);
      for (const limit of limitsIn(node)) given.push({ limit, place: () => placeOf(file, text, node) });
    });
  }
  const limits = given.flatMap(({ limit, place }) =>
    numbersIn(limit, constants).map((milliseconds) => ({ place, milliseconds })),
  );
  expect(limits.length).toBeGreaterThan(20);
  const hurried = limits.filter(({ milliseconds }) => milliseconds < TEST_MILLISECONDS);
  expect(hurried.map(({ place, milliseconds }) => `${place()}: ${milliseconds}`)).toEqual([]);
});

/** The limits that a call of `test` and the like gives: behind its function, or as the option `timeout`. */
function limitsIn(node: Node): readonly Node[] {
  if (node.type !== 'CallExpression' || !LIMITED.has(rootOf(node.callee as Node))) return [];
  const given = node.arguments as readonly Node[];
  const body = given.findIndex(({ type }) => /Function/u.test(type));
  if (body === -1) return [];
  const options = given.slice(0, body).flatMap((option) => (option.properties ?? []) as readonly Node[]);
  const named = options.filter(({ key }) => (key as Node | undefined)?.name === 'timeout');
  return [...given.slice(body + 1), ...named.map(({ value }) => value as Node)];
}

/** `test` of `test.skipIf(…).each(…)`. */
function rootOf(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee.name);
  const inner = callee.type === 'CallExpression' ? callee.callee : (callee.object ?? callee.tag);
  return inner === undefined ? '' : rootOf(inner as Node);
}

type Constant = readonly [name: string, value: Node];

function constantsIn({ type, id, init }: Node): Constant[] {
  const name = (id as Node | undefined)?.name;
  return type === 'VariableDeclarator' && name !== undefined && init !== null
    ? [[String(name), init as Node]]
    : [];
}

/** The numbers that a limit may be; one that cannot be read is none at all. */
function numbersIn(limit: Node, constants: ReadonlyMap<string, Node>): readonly number[] {
  if (typeof limit.value === 'number') return [limit.value];
  if (limit.type === 'BinaryExpression' && limit.operator === '*') {
    const [left, right] = [limit.left, limit.right].map((each) => numbersIn(each as Node, constants));
    return (left ?? []).flatMap((one) => (right ?? []).map((other) => one * other));
  }
  if (limit.type === 'ConditionalExpression')
    return [limit.consequent, limit.alternate].flatMap((each) => numbersIn(each as Node, constants));
  const constant = limit.type === 'Identifier' ? constants.get(String(limit.name)) : undefined;
  return constant === undefined ? [0] : numbersIn(constant, constants);
}

/** Shows every node to `see`, the outer ones first. */
function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const field in node) {
    const value = node[field];
    for (const inner of Array.isArray(value) ? value : [value])
      if (typeof inner === 'object' && inner !== null && 'type' in inner) visit(inner as Node, see);
  }
}

function placeOf(file: string, text: string, { start }: Node): string {
  return `${file}:${text.slice(0, Number(start)).split('\n').length}`;
}
