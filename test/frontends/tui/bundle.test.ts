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
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) =>
        importsOf(readFileSync(join(root, 'dist', file), 'utf8')).map((name) => `${file}: ${name}`),
      )
      .filter((line) => !installed.some((name) => line.endsWith(`: ${name}`) || line.includes(`: ${name}/`)));
    expect(strangers).toEqual([]);
  });

  it('starts, and paints its first prompt, from one small file', () => {
    const code = readFileSync(join(root, 'dist', 'cli', 'huddle.js'), 'utf8');
    expect([...importsOf(code), ...loadsOf(code)].filter((name) => !isBuiltin(name))).toEqual([
      expect.stringMatching(/^\.\.\/chunks\/main-[\w-]+\.js$/u),
    ]);
    expect(code.length).toBeLessThan(8_000);
  });

  it('holds the program in few files, with the licences of what is in them', () => {
    const licences = readFileSync(join(root, 'dist', 'LICENCES.txt'), 'utf8');
    expect(licences.match(/^\S+ [\d.]+ \(MIT\)$/gm)).toEqual(
      expect.arrayContaining(['@earendil-works/pi-tui 0.74.2 (MIT)', 'markdown-it 15.0.3 (MIT)']),
    );
  });
});

/** The packages a module imports. */
function importsOf(code: string): string[] {
  const names = [...code.matchAll(/\b(?:import|export)\b ?(?:[\w*{][^'"`;]*?from ?)?["']([^"']+)["']/gm)].map(
    ([, name = '']) => name,
  );
  return names.filter((name) => !/^(?:node:|\.|events$)/.test(name));
}

/** The modules that it loads when they are needed. */
function loadsOf(code: string): string[] {
  return Array.from(code.matchAll(/\bimport\(["'`]([^"'`]+)/g), ([, name = '']) => name);
}
