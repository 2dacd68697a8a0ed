import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** `export class Name`, `export async function* name`, `export declare const name` and the like. */
const DECLARATION =
  /^export (?:(?:default|declare|abstract|async) )*(?:class|interface|type|enum|namespace|function\*?|const|let) ([\w$]+)/gmu;

test('no exported name is declared in two files', () => {
  const places = readDeclarations();
  const repeated = [...places].filter(([, files]) => files.length > 1);
  expect(places.size).toBeGreaterThan(300);
  expect(repeated.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});

/** Every exported name, and the files under `src` that declare it. */
function readDeclarations(): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.[cm]?tsx?$/u.test(file)) continue;
    const text = readFileSync(join(source, file), 'utf8');
    const names = new Set(Array.from(text.matchAll(DECLARATION), ([, name = '']) => name));
    for (const name of names) places.set(name, [...(places.get(name) ?? []), file.replaceAll('\\', '/')]);
  }
  return places;
}
