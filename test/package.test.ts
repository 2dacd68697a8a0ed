import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What users download. */
const packed: string[] = listPackedFiles();

/** Compiled files, the pages people read first, the manifest, and a schema for editors where there is one. */
const WELCOME = [
  /^dist\/.+\.(?:js|cjs|d\.ts|d\.cts|json)$/,
  /^dist\/cli\/help\.txt$/,
  /^dist\/frontends\/tui\/LICENCES\.txt$/,
  /^(?:README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
  /^(?:schema\/)?[\w.-]*schema\.json$/,
];

function listPackedFiles(): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(output);
  return files.map(({ path }) => path);
}

function targetsOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  return Object.values(entry as Record<string, unknown>).flatMap(targetsOf);
}

describe('the package', () => {
  it('holds the compiled program and nothing of the workshop', () => {
    expect(packed.filter((path) => !WELCOME.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(
      packed.filter((path) => /(?:^|\/)(?:test|bench|real|scripts|src)\/|\.stamp$|\.test\./.test(path)),
    ).toEqual([]);
  });

  it.each(['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json'])('holds %s', (path) => {
    expect(packed).toContain(path);
  });

  it.each([...targetsOf(manifest.exports), ...targetsOf(manifest.bin)])(
    'holds %s, which the manifest names',
    (target) => {
      const path = target.replace(/^\.\//, '');
      expect(existsSync(join(root, path))).toBe(true);
      expect(packed).toContain(path);
    },
  );
});
