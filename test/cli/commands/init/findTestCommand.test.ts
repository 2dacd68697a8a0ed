import { describe, expect, test } from 'vitest';
import { findTestCommand } from '../../../../src/cli/commands/init/findTestCommand.js';

type Files = Readonly<Record<string, string>>;

const packageJson = (test?: unknown, more: object = {}): string =>
  JSON.stringify({ ...(test !== undefined && { scripts: { test } }), ...more });
const commandIn = (files: Files): readonly string[] | undefined =>
  findTestCommand(new Map(Object.entries(files)))?.command;

describe('findTestCommand', () => {
  test.each<[string, Files, string]>([
    ['a script', { 'package.json': packageJson('vitest run') }, 'npm test'],
    ['pnpm', { 'package.json': packageJson('jest'), 'pnpm-lock.yaml': '' }, 'pnpm test'],
    ['yarn', { 'package.json': packageJson('jest'), 'yarn.lock': '' }, 'yarn test'],
    ['bun', { 'package.json': packageJson('jest'), 'bun.lock': '' }, 'bun run test'],
    ['bun with a binary lock', { 'package.json': packageJson('jest'), 'bun.lockb': '' }, 'bun run test'],
    [
      'the manager that the package names, whatever lock is left over',
      { 'package.json': packageJson('jest', { packageManager: 'pnpm@9.1.0' }), 'package-lock.json': '' },
      'pnpm test',
    ],
    ['a run without watching', { 'package.json': packageJson('jest --watchAll=false') }, 'npm test'],
    [
      'a task of Deno, with comments',
      { 'deno.jsonc': '{ "tasks": { "test": "x" } } // y' },
      'deno task test',
    ],
    ['Rust', { 'Cargo.toml': '[package]' }, 'cargo test'],
    ['Go', { 'go.mod': 'module x' }, 'go test ./...'],
    ['pytest by its own file', { 'pytest.ini': '' }, 'pytest'],
    ['pytest among the tools', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'pytest'],
    ['pytest in tox', { 'tox.ini': '[testenv]\ncommands = pytest' }, 'pytest'],
    ['pytest under uv', { 'pyproject.toml': 'dev = ["pytest>=8"]', 'uv.lock': '' }, 'uv run pytest'],
    ['pytest under Poetry', { 'pyproject.toml': 'pytest = "^8"', 'poetry.lock': '' }, 'poetry run pytest'],
    ['RSpec', { Gemfile: 'gem "rspec-rails"' }, 'bundle exec rspec'],
    ['Elixir', { 'mix.exs': '' }, 'mix test'],
    ['a script of Composer', { 'composer.json': packageJson('phpunit') }, 'composer test'],
    ['Maven', { 'pom.xml': '' }, 'mvn test'],
    ['a Makefile', { Makefile: 'all: x\n\ntest: build\n\tctest\n' }, 'make test'],
    ['a makefile in lower case', { makefile: 'test: ;\n' }, 'make test'],
    ['a script before a Makefile', { Makefile: 'test:\n', 'package.json': packageJson('x') }, 'npm test'],
    ['a Makefile beside a package without tests', { Makefile: 'test:\n', 'package.json': '{}' }, 'make test'],
  ])('finds %s', (_title, files, command) => {
    expect(commandIn(files)?.join(' ')).toBe(command);
  });

  test.each<[string, Files]>([
    ['an empty folder', {}],
    ['the placeholder of npm', { 'package.json': packageJson('echo "Error: no test specified" && exit 1') }],
    ['tests that never end', { 'package.json': packageJson('jest --watch') }],
    ['an empty script', { 'package.json': packageJson(' ') }],
    ['a script that is no text', { 'package.json': packageJson(1) }],
    ['broken JSON', { 'package.json': '{ "scripts": ' }],
    ['JSON of another kind', { 'package.json': '[1]', 'composer.json': 'null', 'deno.json': '"x"' }],
    ['JSON that is too deep', { 'package.json': '['.repeat(500_000) }],
    ['Python without pytest', { 'pyproject.toml': '[project]' }],
    ['a Gemfile without RSpec', { Gemfile: 'gem "rails"' }],
    ['a Makefile without the target', { Makefile: 'tests := a\nlatest: x\n# test: y\n\ttest: z\n' }],
    ['a variable of make', { Makefile: 'test := a\ntest ::= b\n' }],
  ])('finds nothing in %s', (_title, files) => {
    expect(commandIn(files)).toBeUndefined();
  });

  test('says where it was found, and what a new copy of the folder needs before', () => {
    const dependencies = { dependencies: { zod: '4' } };
    const found = (files: Files) => findTestCommand(new Map(Object.entries(files)));
    expect(found({ 'package.json': packageJson('x', dependencies), 'package-lock.json': '' })).toEqual({
      file: 'package.json',
      command: ['npm', 'test'],
      setup: ['npm', 'ci'],
    });
    expect(found({ 'package.json': packageJson('x', dependencies) })?.setup).toEqual(['npm', 'install']);
    expect(found({ 'package.json': packageJson('x'), 'package-lock.json': '' })?.setup).toBeUndefined();
    expect(found({ 'go.mod': '' })).toEqual({ file: 'go.mod', command: ['go', 'test', './...'] });
  });
});
