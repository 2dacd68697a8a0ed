import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const installed = Object.keys({ ...dependencies, ...optionalDependencies });

describe('the built program', () => {
  it('imports nothing that users do not install', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const strangers = files
      .filter((file) => /\.[cm]?js$/.test(file))
      .flatMap((file) =>
        importsOf(readFileSync(join(root, 'dist', file), 'utf8')).map((name) => `${file}: ${name}`),
      )
      .filter((line) => !installed.some((name) => line.endsWith(`: ${name}`) || line.includes(`: ${name}/`)));
    expect(strangers).toEqual([]);
  });

  it('starts, and paints its first prompt, from one small file', () => {
    const code = readFileSync(join(root, 'dist', 'cli', 'huddle.cjs'), 'utf8');
    const required = Array.from(code.matchAll(/\brequire\(["'`]([^"'`]+)/g), ([, name = '']) => name);
    expect(required.filter((name) => !isBuiltin(name))).toEqual(['./main.cjs']);
    expect(code.length).toBeLessThan(8_000);
  });

  it('holds the program in few files, with the licences of what is in them', () => {
    const folder = join(root, 'dist', 'cli');
    const licences = readFileSync(join(folder, 'LICENCES.txt'), 'utf8');
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['huddle.cjs', 'main.cjs', 'runTerminal.cjs']),
    );
    expect(licences.match(/^\S+ [\d.]+ \(MIT\)$/gm)).toEqual(
      expect.arrayContaining(['@earendil-works/pi-tui 0.74.2 (MIT)', 'markdown-it 15.0.3 (MIT)']),
    );
  });
});

/** The packages a module imports. */
function importsOf(code: string): string[] {
  const names = [...code.matchAll(/^(?:import|export) [^'"]*?from ?["']([^"']+)["']/gm)].map(
    ([, name = '']) => name,
  );
  return names.filter((name) => !/^(?:node:|\.|events$)/.test(name));
}
