import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findPreset, PRESET_NAMES, type PresetName } from '../../../../src/catalogue/presets.js';
import { assignRoles, formatTeamFile } from '../../../../src/cli/commands/init/formatTeamFile.js';
import { loadTeamFile } from '../../../../src/config/loadTeamFile.js';
import { agentsOf } from '../../../../src/routing/teamMembers.js';

const EVERYBODY = ['claude-code', 'openai-codex', 'google-gemini'];

/** How each example is played; the question is the one its replies answer. */
const QUESTIONS: Readonly<Record<PresetName, string>> = {
  council: 'Should sessions move to the server? [NEXT: architect]',
  pair: 'Why does the date test fail? [NEXT: navigator]',
  review: 'Refuse uploads that are too large. [NEXT: author]',
  debate: 'Should sessions move to the server? [NEXT: all]',
  contest: 'Refuse uploads that are too large. [NEXT: judge]',
};

describe('a team file that is written', () => {
  test.each(PRESET_NAMES)('is the example of the preset %s where everything is installed', async (preset) => {
    const folder = `examples/${preset}`;
    const text = formatTeamFile({
      preset,
      roles: assignRoles(findPreset(preset), EVERYBODY),
      ...(preset === 'contest' && { check: ['npm', 'test'], setup: ['npm', 'ci'] }),
      schema: '../../schema/huddle.schema.json',
      hint: `Try it: huddle rehearse --team ${folder}/huddle.jsonc --script ${folder}/replies.json "${QUESTIONS[preset]}"`,
    });
    await expect(text).toMatchFileSnapshot(`../../../../${folder}/huddle.jsonc`);
  });

  test.each(PRESET_NAMES)('is valid for %s whoever is installed, without a warning', async (preset) => {
    for (const installed of [[], ['google-gemini'], ['openai-codex', 'claude-code'], EVERYBODY]) {
      const { team, warnings } = await load(preset, installed, undefined);
      expect(warnings).toEqual([]);
      expect(team.members).toHaveLength(findPreset(preset).roles.length + 1);
    }
  });

  test('has a command line of any kind as a check', async () => {
    const check = ['sh', '-c', 'npm test // "x" | tail'];
    const { team } = await load('review', EVERYBODY, undefined, check);
    expect(team.members.at(-1)).toMatchObject({
      name: 'tests',
      agentType: 'command',
      command: check,
      check: true,
    });
  });

  test('lets authors run the tests without asking, in the words of their CLIs, where there are such lists', async () => {
    for (const [types, check, expected] of [
      [['claude-code'], ['npm', 'test'], [['Bash(npm test)'], []]],
      [['claude-code'], ['go', 'test', './...'], [['Bash(go test ./...)'], []]],
      [['google-gemini'], ['pnpm', 'test'], [['run_shell_command(pnpm test)'], []]],
      [['opencode'], ['npm', 'test'], [['execute(npm test)'], []]],
      [['openai-codex'], ['npm', 'test'], [[], []]],
      [['claude-code'], ['sh', '-c', 'npm test; rm -rf .'], [[], []]],
      [['claude-code'], undefined, [[], []]],
    ] as const) {
      const { team, warnings } = await load('review', types, undefined, check);
      expect(warnings).toEqual([]);
      const authors = agentsOf(team).filter(({ name }) => name !== 'tests');
      expect(authors.map(({ allow }) => allow)).toEqual(expected);
    }
  });

  test.each(['Say "no" to \\n and // comments', '为团队 wiki 设计登录', 'line\u2028break */ \u0007'])(
    'carries any task: %j',
    async (task) => {
      expect((await load('council', EVERYBODY, task)).team.task).toBe(task);
    },
  );
});

async function load(
  preset: PresetName,
  installed: readonly string[],
  task: string | undefined,
  check?: readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'huddle.jsonc');
  const roles = assignRoles(findPreset(preset), installed);
  const text = formatTeamFile({
    preset,
    roles,
    schema: './x.json',
    hint: '',
    ...(task !== undefined && { task }),
    ...(check !== undefined && { check }),
  });
  writeFileSync(file, text);
  return loadTeamFile(file, { interactive: true });
}
