import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../../src/cli/commands.js';
import { pages, root } from './pages.js';

describe('the pages name what there is', () => {
  test('the table at the top of commands.md has every command', () => {
    const [table = ''] =
      /^\| command \| does \|\n(?:\|.*\n)+/mu.exec(readFileSync(join(root, 'docs/commands.md'), 'utf8')) ??
      [];
    const named = new Set([...table.matchAll(/`huddle ([a-z]+)/gu)].map(([, name]) => name));
    const missing = PROGRAM.commands.map(({ name }) => name).filter((name) => !named.has(name));
    expect(missing).toEqual([]);
  });

  test('every code of an error that a page shows is one of the source', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'));
    const known = new Set(sources.flatMap((source) => source.match(/\b[A-Z][A-Z_]+\b/gu) ?? []));
    const shown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/error\[([A-Z_]+)\]/gu)].map(([, code = '']) => ({ path, code })),
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter(({ code }) => !known.has(code))).toEqual([]);
  });
});
