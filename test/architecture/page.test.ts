import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
/** Files that import more than their row says; the page names them below its table. */
const EXCEPTIONS = ['utils/PromptBuilder.ts', 'utils/JsonlMessageFormatter.ts', 'models/errors.ts'];
const ANYTHING = 'anything; nothing imports `cli`';

const rows = [...page.matchAll(/^\| (`[^|]+) \|[^|]+\| ([^|]+) \|$/gmu)].map(
  ([, names = '', imports = '']) => ({
    names: [...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name.replace(/\/$/u, '')),
    imports,
  }),
);

test('the table has a row for everything in src, and for nothing else', () => {
  expect(rows.flatMap(({ names }) => names).sort()).toEqual(readdirSync(join(root, 'src')).sort());
});

test.each(rows.filter(({ imports }) => imports !== ANYTHING))('$names imports what its row says', (row) => {
  const stated = row.imports.match(/^nothing/u) ? [] : row.imports.split(', ');
  expect([...new Set(row.names.flatMap(foldersImportedBy))].sort()).toEqual(stated.sort());
});

test.each(paths())('the page leads to %s, which exists', (path) => {
  const wanted = new RegExp(`(?:^|/)${path.replace(/\/$/u, '')}(?:\\.ts)?$`, 'u');
  expect(everyPath().some((known) => wanted.test(known))).toBe(true);
});

function everyPath(): string[] {
  return ['src', 'docs', 'test', 'examples'].flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path}`,
    ),
  ]);
}

function foldersImportedBy(folder: string): string[] {
  return readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(folder, file))
    .filter((file) => /\.tsx?$/u.test(file) && !EXCEPTIONS.includes(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/gu)]
        .map(([, specifier = '']) => posix.join(dirname(file), specifier))
        .filter((target) => !EXCEPTIONS.includes(target.replace(/\.js$/u, '.ts')))
        .map((target) => target.split('/')[0] ?? '')
        .filter((other) => other !== folder);
    });
}

/** Paths in the page: `folder/file`, `file.ts`. */
function paths(): string[] {
  const quoted = [...page.matchAll(/`([\w./-]+)`/gu)].map(([, text = '']) => text);
  return [...new Set(quoted.filter((text) => /[a-z]\/|\.ts$/u.test(text)))];
}
