import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from './pages.js';

const runFile = promisify(execFile);
const program = join(root, 'dist', 'cli', 'huddle.js');
const teams = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && existsSync(join(root, 'examples', entry.name, 'huddle.jsonc')),
);

describe.concurrent('the examples', () => {
  it.each(teams)('play the way the team file of $name says', async ({ name }) => {
    const text = readFileSync(join(root, 'examples', name, 'huddle.jsonc'), 'utf8');
    const command = /huddle (rehearse .*)$/mu.exec(text)?.[1] ?? '';
    const line = `"$0" "$1" ${command} --no-prompts`;
    const { stdout, stderr } = await runFile('sh', ['-c', line, process.execPath, program], { cwd: root });
    expect(stdout).toMatch(/\[NEXT: .+\]/u);
    for (const text of textsOf(name)) expect(stdout).toContain(text);
    expect(stderr).toContain('dry run, no cost');
  });
});

/** Everything that the stand-ins of an example are to say. */
function textsOf(name: string): readonly string[] {
  type Replies = Readonly<Record<string, readonly { text: string | readonly string[] }[]>>;
  const replies: Replies = JSON.parse(readFileSync(join(root, 'examples', name, 'replies.json'), 'utf8'));
  return Object.values(replies).flatMap((turns) => turns.flatMap(({ text }) => text));
}
