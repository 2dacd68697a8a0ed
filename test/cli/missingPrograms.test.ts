import { describe, expect, test } from 'vitest';
import { installAgent } from './installAgent.js';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const INSTALL_CLAUDE =
  'Claude Code (claude) not found on PATH. Install: npm install -g @anthropic-ai/claude-code';

async function machineWithoutPrograms(): Promise<Machine> {
  const machine = createMachine();
  const lint = { agentType: 'command', command: ['our-lint', '--all'] };
  const olga = { agentType: 'acp', command: ['opencode', 'acp'] };
  machine.write(
    'huddle.jsonc',
    teamFile({
      max: { agentType: 'claude' },
      ann: { agentType: 'claude' },
      sarah: { agentType: 'codex' },
      olga,
      lint,
    }),
  );
  await machine.trust();
  return machine;
}

describe('a team whose programs are missing', () => {
  test.skipIf(!hasTerminal).each([[[]], [['--plain']]])('says so on its first screen (%j)', async (args) => {
    const terminal = openTerminal(await machineWithoutPrograms(), { args, env: { COLUMNS: '200' } });
    await terminal.until(args.length === 0 ? 'ready' : '> ');
    const shown = terminal.shown().replaceAll(/\s+/gu, ' ');
    expect(shown).toContain(`max, ann: ${INSTALL_CLAUDE}`);
    expect(shown).toContain('sarah: Codex (codex) not found on PATH. Install: npm install -g @openai/codex');
    expect(shown).toMatch(
      /olga: opencode \(opencode\) not found on PATH\. Install: npm install -g opencode-ai/iu,
    );
    expect(shown).toContain('lint: our-lint not found on PATH.');
    terminal.type('\x04');
    expect(await terminal.ended).toBe(0);
  });

  test.each([
    ['max', INSTALL_CLAUDE],
    ['sarah', 'Codex (codex) not found on PATH. Install: npm install -g @openai/codex'],
    ['lint', 'our-lint not found on PATH. Install it, or add its folder to PATH.'],
  ])(
    'says in a failed turn of %s what to install, and where it looked only in debug lines',
    async (name, said) => {
      const machine = await machineWithoutPrograms();
      const { code, stderr } = await machine.run(['run', `Go. [NEXT: ${name}]`]);
      expect(code).toBe(69);
      expect(stderr).toContain(said);
      expect(stderr).not.toContain(machine.env.PATH);
      const debugged = await machine.run(['run', `Go. [NEXT: ${name}]`], { env: { DEBUG: '1' } });
      expect(debugged.stderr).toContain(`searched ${machine.env.PATH}`);
    },
  );
});

test('the program that prepares copies is one that can be missing', async () => {
  const machine = createMachine();
  const tests = { agentType: 'command', command: ['our-tests'], check: true };
  machine.write('huddle.jsonc', teamFile({ tests }, { files: { setup: ['our-setup', '--fast'] } }));
  const trusted = await machine.run(['trust', '--yes']);
  expect(trusted.stdout).toContain(
    '"tests" runs "our-tests"\n  runs as you (no sandbox), environment inherit\n  runs automatically after each turn that changes files\n',
  );
  expect(trusted.stdout).toContain('every new copy runs "our-setup" "--fast"\n  runs as you (no sandbox)\n');
  const { code, stdout } = await machine.run(['doctor']);
  expect(code).toBe(69);
  expect(stdout).toContain('files.setup needs our-setup, which is not on PATH');
});

describe('a login that the status command does not see', () => {
  test.each([
    ['codex', 'login', 'Not logged in', 'CODEX_API_KEY'],
    ['codex', 'login', 'Not logged in', 'OPENAI_API_KEY'],
    ['claude', 'auth', '{"loggedIn": false}', 'ANTHROPIC_API_KEY'],
    ['claude', 'auth', '{"loggedIn": false}', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ])('is unknown, not absent: %s with %s %s and %s set', async (program, word, answer, variable) => {
    const machine = createMachine();
    installAgent(machine, program, { '--version': '9.9.9', [word]: answer });
    const env = { [variable]: 'made-up' };
    await machine.trust();
    const without = await machine.run(['doctor']);
    expect({ code: without.code, says: /, not logged in/u.test(without.stdout) }).toEqual({
      code: 4,
      says: true,
    });
    const { code, stdout } = await machine.run(['doctor'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('login unknown') });
    expect(stdout).not.toContain('not logged in');
    const init = await machine.run(['init', '--yes'], { env });
    expect(init.stderr).not.toContain('logged in');
  });

  test('is absent with an empty variable, and with the key of another vendor', async () => {
    const machine = createMachine();
    installAgent(machine, 'codex', { '--version': '9.9.9', login: 'Not logged in' });
    for (const [name, value] of [
      ['CODEX_API_KEY', ''],
      ['GEMINI_API_KEY', 'made-up'],
    ] as const)
      expect((await machine.run(['doctor'], { env: { [name]: value } })).code).toBe(4);
  });
});
