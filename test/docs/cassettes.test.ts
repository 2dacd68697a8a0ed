import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createMachine, program } from '../cli/runHuddle.js';
import { page, root } from './pages.js';

const workflow = readFileSync(join(root, 'examples', 'github-actions', 'cassettes.yml'), 'utf8');

test('the page on cassettes has the workflow as it is', () => {
  const shown = page('docs/cassettes.md').fences.find(({ language }) => language === 'yaml');
  expect(shown?.text).toBe(workflow);
});

test('no page and no example installs the package by its name: it is not published, and anyone can take the name', () => {
  const places = ['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'docs', 'examples', 'src/catalogue'];
  const files = places.flatMap((place) =>
    statSync(join(root, place)).isDirectory()
      ? readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((name) => join(place, name))
      : [place],
  );
  const texts = files.filter((file) => /\.(?:md|ya?ml|json|mjs|ts)$/u.test(file));
  expect(texts.length).toBeGreaterThan(50);
  const installing = /\b(?:npm (?:install|i|add|exec)|npx|pnpm \w+|yarn \w+|bunx?)\b[^\n`]*\bagent-huddle\b/u;
  expect(texts.filter((file) => installing.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('the workflow passes while all cassettes play, and fails when a role has changed', async () => {
  const { project, folder, env } = createMachine();
  const example = join(root, 'examples', 'review');
  mkdirSync(join(project, 'cassettes'));
  copyFileSync(join(example, 'huddle.jsonc'), join(project, 'huddle.jsonc'));
  for (const name of ['a', 'b'])
    copyFileSync(join(example, 'cassette.jsonl'), join(project, 'cassettes', `${name}.jsonl`));
  const huddle = join(folder, 'bin', 'huddle');
  writeFileSync(huddle, `#!/bin/sh\nexec node '${program}' "$@"\n`);
  chmodSync(huddle, 0o755);
  const play = () =>
    promisify(execFile)('/bin/sh', ['-e', '-c', lastStep(workflow)], {
      cwd: project,
      env: { ...env, CI: 'true', GITHUB_ACTIONS: 'true' },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  expect(await play()).toMatchObject({ code: 0 });
  const file = join(project, 'huddle.jsonc');
  writeFileSync(file, readFileSync(file, 'utf8').replace('never edit', 'never write'));
  const failed = await play();
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('+Review only; never write.') });
  expect(failed.stdout.match(/::group::/gu)).toHaveLength(2);
});

/** The commands of the last step of a workflow. */
function lastStep(text: string): string {
  const [, commands = ''] = text.split(/\n {8}run: \|\n/u);
  return commands.replaceAll(/^ {10}/gmu, '');
}
