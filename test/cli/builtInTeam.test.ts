import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { installMarkingAgent } from './markingAgent.js';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine, teamFile } from './runHuddle.js';

describe('the team made of what is installed', () => {
  test('starts no turn in a folder that nobody has trusted, and says what it would start', async () => {
    const machine = createMachine();
    const gemini = installMarkingAgent(machine, 'bin/gemini');
    const { code, stdout, stderr } = await machine.run(['run', 'hello']);
    expect({ code, stdout }).toEqual({ code: 77, stdout: '' });
    expect(stderr).toContain('error[FOLDER_NOT_TRUSTED]');
    expect(stderr).toContain('"gemini" runs "gemini"');
    expect(gemini.starts()).toEqual(['--version']);
    expect(existsSync(join(machine.folder, 'data', 'trust.json'))).toBe(false);
  });

  test('--trust lets it start once, and only then its own question about the folder is left out', async () => {
    const machine = createMachine();
    const gemini = installMarkingAgent(machine, 'bin/gemini');
    await machine.run(['run', 'hello', '--trust']);
    expect(gemini.starts().at(-1)).toContain('--skip-trust');
    expect(await machine.run(['run', 'hello'])).toMatchObject({ code: 77 });
  });

  test('is trusted by huddle trust, in that folder and no other, whatever is installed later', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    const trusted = await machine.run(['trust', '--yes']);
    expect(trusted).toMatchObject({ code: 0 });
    expect(trusted.stdout).toContain('"claude" runs "claude"');
    expect((await machine.run(['trust'])).stdout).toContain('is already trusted');
    installMarkingAgent(machine, 'bin/gemini');
    expect(await machine.run(['run', 'hello'])).toMatchObject({ code: 0 });
    mkdirSync(join(machine.project, 'below'));
    expect(await machine.run(['run', 'hello'], { cwd: join(machine.project, 'below') })).toMatchObject({
      code: 77,
    });
  });

  test('does not vouch for a team file that comes later', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    await machine.run(['trust', '--yes']);
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    expect(await machine.run(['run', 'hello'])).toMatchObject({ code: 77 });
  });

  test.runIf(hasTerminal)('asks once in a terminal', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    const order = { args: ['run', 'hello'], input: 'yes\n' };
    const first = await runInTerminal(machine, order);
    expect(first.screen).toContain('Trust this folder?');
    expect(first.screen).toContain('Marked.');
    const second = await runInTerminal(machine, order);
    expect(second.screen).not.toContain('Trust this folder?');
    expect(second.screen).toContain('Marked.');
  });

  test.skipIf(!hasTmux())('shows the question in whole words, each fact from the left', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: ['run', 'hello'],
      columns: 60,
      rows: 24,
      folder: machine.project,
      env: machine.env,
    });
    const rows = await screen.until('Trust this folder?');
    const at = rows.findIndex((row) => row.startsWith('"claude" gets'));
    expect(rows.slice(at, at + 3)).toEqual([
      '"claude" gets these credentials if they are set:',
      '  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN,',
      '  ANTHROPIC_CUSTOM_HEADERS, ANTHROPIC_FOUNDRY_API_KEY,',
    ]);
  });

  test.runIf(hasTerminal)('starts nothing where the answer is no', async () => {
    const machine = createMachine();
    const claude = installMarkingAgent(machine, 'bin/claude');
    const { code } = await runInTerminal(machine, { args: ['run', 'hello'], input: 'no\n' });
    expect(code).toBe(77);
    expect(claude.starts().filter((start) => start.startsWith('-p'))).toEqual([]);
  });

  test('a team file from elsewhere needs trust in the folder where it works as well', async () => {
    const machine = createMachine();
    const claude = installMarkingAgent(machine, 'bin/claude');
    const file = machine.write('../teams/huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    await machine.run(['trust', join(machine.folder, 'teams'), '--yes']);
    const { code, stderr } = await machine.run(['run', 'hello', '--team', file]);
    expect(code).toBe(77);
    expect(stderr).toContain(machine.project);
    expect(claude.starts()).toEqual([]);
    await machine.run(['trust', '--yes']);
    expect(await machine.run(['run', 'hello', '--team', file])).toMatchObject({ code: 0 });
  });

  test('doctor says that the folder is not trusted, and that huddle trust is next', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    const { code, stdout } = await machine.run(['doctor']);
    expect(code).toBe(77);
    expect(stdout).toContain('Folder not trusted yet');
    expect(stdout).toContain('Next: huddle trust');
    await machine.run(['trust', '--yes']);
    expect(await machine.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('a rehearsal asks for no trust', async () => {
    const machine = createMachine();
    installMarkingAgent(machine, 'bin/claude');
    expect(await machine.run(['rehearse', 'hello', '--no-prompts'])).toMatchObject({ code: 0 });
  });
});
