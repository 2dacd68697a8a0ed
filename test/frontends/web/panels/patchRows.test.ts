import { expect, test } from 'vitest';
import {
  isMissingEnd,
  type PatchRow,
  readPatchRows,
} from '../../../../src/frontends/web/page/panels/patchRows.js';

const HEAD = 'diff --git a/x.ts b/x.ts\nindex 1111111..2222222 100644\n--- a/x.ts\n+++ b/x.ts\n';

test('lines have the numbers that they have in the file, before and after', () => {
  const rows = readPatchRows(
    `${HEAD}@@ -41,3 +41,4 @@ async function save() {\n const body = 1;\n-save(body);\n+check(it);\n+keep(it);\n }\n`,
  );
  expect(rows.map(describeRow)).toEqual([
    'place async function save() {',
    'context 41/41 const body = 1;',
    'remove 42/ save(body);',
    'add /42 check(it);',
    'add /43 keep(it);',
    'context 43/44 }',
  ]);
});

test('words that changed inside a line are marked on both sides', () => {
  const rows = readPatchRows(`${HEAD}@@ -1 +1 @@\n-const limit = 10;\n+const limit = 20 * MB;\n`);
  expect(rows.map(describeMarks)).toEqual(['', 'const limit = [10];', 'const limit = [20 * MB];']);
});

test('where more lines came than went, those that are alike are compared', () => {
  const rows = readPatchRows(
    `${HEAD}@@ -1,2 +1,4 @@\n-function save(body: string) {\n-}\n+import { MAX } from "./max";\n+\n+function save(body: Bytes) {\n+  check();\n`,
  );
  expect(rows.map(describeMarks)).toEqual([
    '',
    'function save(body: [string]) {',
    '}',
    'import { MAX } from "./max";',
    '',
    'function save(body: [Bytes]) {',
    '  check();',
  ]);
});

test('a line that has little in common with the one before is not marked', () => {
  const rows = readPatchRows(`${HEAD}@@ -1 +1 @@\n-return save(body);\n+if (tooLarge) throw new Error();\n`);
  expect(rows.map(describeMarks).join('')).not.toContain('[');
});

test('lines that look like heads are lines', () => {
  const rows = readPatchRows(`${HEAD}@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n same\n`);
  expect(rows.map(describeRow)).toEqual(['place ', 'remove 1/ -- a/x', 'add /1 ++ b/x', 'context 2/2 same']);
});

test('line ends of another system are not shown where all lines have them, and are where only some do', () => {
  expect(textsOf(`${HEAD}@@ -1,2 +1,2 @@\n same\r\n-old\r\n+new\r\n`)).toEqual(['', 'same', 'old', 'new']);
  expect(textsOf(`${HEAD}@@ -1 +1 @@\n-same\r\n+same\n`)).toEqual(['', 'same␍', 'same']);
});

test('a missing line end is a note', () => {
  const rows = readPatchRows(`${HEAD}@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n`);
  expect(rows.map(isMissingEnd)).toEqual([false, false, false, true]);
});

test('what reorders or hides text is shown, whatever the words around it', () => {
  expect(textsOf(`${HEAD}@@ -1 +1 @@\n-if (a\u202e) {\n+if (b\u200b) {\u001b[2J\n`)).toEqual([
    '',
    'if (a<U+202E>) {',
    'if (b<U+200B>) {␛[2J',
  ]);
});

test('a long line is cut, and thousands of changed lines take no time', () => {
  const [, , long] = readPatchRows(`${HEAD}@@ -1 +1 @@\n-a\n+${'x'.repeat(100_000)}\n`);
  expect(long?.words[0]?.text.length).toBe(2001);
  const lines = (sign: string) =>
    Array.from({ length: 5000 }, (_, line) => `${sign}line ${line} ${sign}\n`).join('');
  const started = performance.now();
  expect(readPatchRows(`${HEAD}@@ -1,5000 +1,5000 @@\n${lines('-')}${lines('+')}`)).toHaveLength(10_001);
  expect(performance.now() - started).toBeLessThan(2000);
});

function describeRow({ kind, before, after, words }: PatchRow): string {
  const numbers = before === undefined && after === undefined ? '' : `${before ?? ''}/${after ?? ''} `;
  return `${kind} ${numbers}${words.map(({ text }) => text).join('')}`;
}

function describeMarks({ words }: PatchRow): string {
  return words.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');
}

function textsOf(patch: string): readonly string[] {
  return readPatchRows(patch).map(({ words }) => words.map(({ text }) => text).join(''));
}
