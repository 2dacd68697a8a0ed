import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { installAgent } from './installAgent.js';
import { createMachine, type Machine, program, root } from './runHuddle.js';

/** Claude Code and Codex are installed, Gemini CLI is not. */
function machineWithTwo(): Machine {
  const machine = createMachine();
  installAgent(machine, 'claude', { '--version': '2.1.325 (Claude Code)', auth: '{"loggedIn": true}' });
  installAgent(machine, 'codex', { '--version': 'codex-cli 0.166.0', login: 'Not logged in' });
  return machine;
}

const filesOf = ({ project }: Machine): readonly string[] => readdirSync(project).toSorted();
const teamFileOf = ({ project }: Machine): string => readFileSync(join(project, 'huddle.jsonc'), 'utf8');

describe('huddle init', () => {
  test.each(['council', 'pair', 'review', 'debate', 'contest'])(
    'writes %s so that it is valid and trusted',
    async (preset) => {
      const machine = machineWithTwo();
      expect(await machine.run(['init', '--preset', preset, '--yes'])).toMatchObject({ code: 0 });
      const { stdout } = await machine.run(['doctor', '--json']);
      expect(JSON.parse(stdout).team).toMatchObject({
        ok: true,
        name: preset,
        isTrusted: true,
        warnings: [],
      });
    },
  );

  test('calls the person "you", since colleagues share the file', async () => {
    const machine = machineWithTwo();
    await machine.run(['init', '--yes']);
    expect(teamFileOf(machine)).toContain('{ "name": "you", "type": "human" }');
  });

  test.each(['review', 'pair', 'contest'])('%s gets the tests of the project as a check', async (preset) => {
    const machine = machineWithTwo();
    machine.write(
      'package.json',
      '{ "scripts": { "test": "node --test" }, "devDependencies": { "a": "1" } }',
    );
    machine.write('pnpm-lock.yaml', '');
    const { code, stdout, stderr } = await machine.run(['init', '--preset', preset, '--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'Tests: pnpm test (package.json). They run after each turn that changes files.\n',
    );
    expect(stdout).toContain('  tests: Command, check, runs as you (no sandbox)\n');
    const text = teamFileOf(machine);
    expect(text).toContain('"command": ["pnpm", "test"],');
    expect(text).toContain('"check": true');
    expect(text.includes('"setup": ["pnpm", "install", "--frozen-lockfile"]')).toBe(preset === 'contest');
  });

  test('says that a contest without a test command has no check', async () => {
    const machine = machineWithTwo();
    const { code, stderr } = await machine.run(['init', '--preset', 'contest', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('No test command found, so this team has no check. To add one:'),
    });
    expect(teamFileOf(machine)).not.toContain('"check"');
  });

  test('says nothing of tests where a preset has no use for them, or there are none', async () => {
    const machine = machineWithTwo();
    machine.write('Cargo.toml', '');
    expect((await machine.run(['init', '--preset', 'debate', '--yes'])).stderr).not.toContain('est');
    rmSync(join(machine.project, 'Cargo.toml'));
    const review = await machine.run(['init', '--preset', 'review', '--yes', '--force']);
    expect(review.stderr).not.toContain('est command');
    expect(teamFileOf(machine)).not.toContain('"check"');
  });

  test('gives every role to an ACP agent where nothing else is installed', async () => {
    const machine = createMachine();
    installAgent(machine, 'opencode', { '--version': '1.18.33' });
    const { code, stdout, stderr } = await machine.run(['init', '--preset', 'review', '--yes']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        '  author: OpenCode, Author, can edit files\n  reviewer: OpenCode, Reviewer, read-only\n',
      ),
    });
    expect(stderr).toContain('Installed: OpenCode 1.18.33.\n');
    expect(stderr).toContain('Codex is not installed; OpenCode will be the reviewer.\n');
    expect(teamFileOf(machine)).toContain('"agentType": "opencode"');
    const { stdout: facts } = await machine.run(['doctor', '--json']);
    expect(JSON.parse(facts)).toMatchObject({
      team: { ok: true, isTrusted: true, missing: [] },
      exitCode: 0,
    });
  });

  test.each(['huddle.jsonc', 'huddle.json'])('leaves a %s that is there as it is', async (name) => {
    const machine = createMachine();
    machine.write(name, 'mine');
    const { code, stdout, stderr } = await machine.run(['init', '--yes']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `error[TEAM_FILE_EXISTS]: ${name} already exists and was not changed. To overwrite it: huddle init --force\n`,
    );
    expect(filesOf(machine)).toEqual([name]);
    expect(readFileSync(join(machine.project, name), 'utf8')).toBe('mine');
  });

  test.each([
    ['is no schema', 'mine'],
    ['is another schema', '{"description":"A team of ours."}'],
  ])('leaves a huddle.schema.json that %s as it is, unless it is forced', async (_title, text) => {
    const machine = createMachine();
    const file = machine.write('huddle.schema.json', text);
    const { code, stderr } = await machine.run(['init', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('error[TEAM_FILE_EXISTS]: huddle.schema.json already exists'),
    });
    expect(filesOf(machine)).toEqual(['huddle.schema.json']);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await machine.run(['init', '--yes', '--force'])).code).toBe(0);
  });

  test('writes its own schema again where only that is there', async () => {
    const machine = createMachine();
    await machine.run(['init', '--yes']);
    rmSync(join(machine.project, 'huddle.jsonc'));
    expect((await machine.run(['init', '--yes'])).code).toBe(0);
  });

  test('leaves a link that leads nowhere as it is', async () => {
    const machine = createMachine();
    symlinkSync('/nowhere', join(machine.project, 'huddle.jsonc'));
    expect(await machine.run(['init'])).toMatchObject({ code: 2 });
    expect(filesOf(machine)).toEqual(['huddle.jsonc']);
  });

  test('--force writes over it', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', 'mine');
    machine.write('huddle.json', '{}');
    const { code, stderr } = await machine.run(['init', '--force']);
    expect(code).toBe(0);
    expect(stderr).toContain('huddle.json still exists but is no longer read.');
    expect(teamFileOf(machine)).toContain('"name": "council"');
  });

  test('leaves nothing behind when the team file cannot take its place', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc/in-the-way', '');
    const { code } = await machine.run(['init', '--force']);
    expect(code).toBe(74);
    expect(filesOf(machine)).toEqual(['huddle.jsonc']);
  });

  test('ends quietly when the reader of its output has gone', async () => {
    const machine = createMachine();
    const child = machine.start(['init']);
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.on('exit', resolve));
    expect([0, 141]).toContain(code);
    expect(filesOf(machine)).toContain('huddle.jsonc');
  });

  test('points the editor at the package where that is installed in the project', async () => {
    const machine = createMachine();
    machine.write('node_modules/agent-huddle/schema/huddle.schema.json', '{}');
    machine.write('packages/wiki/readme.md', '');
    await machine.run(['init'], { cwd: join(machine.project, 'packages', 'wiki') });
    const text = readFileSync(join(machine.project, 'packages', 'wiki', 'huddle.jsonc'), 'utf8');
    expect(text).toContain('"$schema": "../../node_modules/agent-huddle/schema/huddle.schema.json"');
    expect(readdirSync(join(machine.project, 'packages', 'wiki'))).toEqual(['huddle.jsonc', 'readme.md']);
  });

  test('puts the published schema beside the team file where it is not', async () => {
    const machine = createMachine();
    await machine.run(['init']);
    const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
    expect(read(join(machine.project, 'huddle.schema.json'))).toEqual(
      read(join(root, 'schema', 'huddle.schema.json')),
    );
    expect(filesOf(machine)).toEqual(['huddle.jsonc', 'huddle.schema.json']);
  });
});

describe.skipIf(!hasTmux())('huddle init in a terminal', { timeout: 60_000 }, () => {
  function start(machine: Machine, env: Readonly<Record<string, string>> = {}): TmuxScreen {
    const script = machine.write(
      '../start.mjs',
      `process.chdir(${JSON.stringify(machine.project)});
process.argv = [process.argv[0], ${JSON.stringify(program)}, 'init'];
await import(${JSON.stringify(program)});`,
    );
    return new TmuxScreen({
      program: script,
      args: [],
      env: { ...machine.env, ...env, PATH: `${machine.env.PATH}:/usr/bin:/bin` },
    });
  }

  test('asks how they work together and on what, then writes', async () => {
    const machine = machineWithTwo();
    const screen = start(machine);
    await screen.until('How should they work together?');
    screen.press('Down', 'Down', 'Enter');
    await screen.until('What should the team work on?');
    screen.type('登录 for the wiki');
    screen.press('Enter');
    await screen.until('code: 0');
    expect(screen.rows().slice(0, 9)).toEqual([
      'Looking for agent CLIs …',
      'Installed: Claude Code 2.1.325, Codex 0.166.0.',
      expect.stringMatching(/^Codex is not logged in\. Run `codex login`/u),
      '│',
      '◇  How should they work together? (↑↓ to move, Enter to choose)',
      '│  review   one writes, one reviews until no problems are left',
      '│',
      '◇  What should the team work on?',
      '│  登录 for the wiki',
    ]);
    expect(teamFileOf(machine)).toContain('"name": "review",\n  // ');
    expect(teamFileOf(machine)).toContain('"task": "登录 for the wiki"');
  });

  test('asks for the tests of a contest where none are found', async () => {
    const machine = machineWithTwo();
    const screen = start(machine);
    await screen.until('How should they work together?');
    screen.press('Down', 'Down', 'Down', 'Down', 'Enter');
    await screen.until('Which command runs the tests?');
    screen.type('./run "all tests"');
    screen.press('Enter');
    await screen.until('What should the team work on?');
    screen.press('Enter');
    await screen.until('code: 0');
    expect(teamFileOf(machine)).toContain('"command": ["./run", "all tests"],');
  });

  test.each(['C-c', 'C-d', 'Escape'])(
    '%s leaves with 130; nothing is written and the terminal is as it was',
    async (key) => {
      const machine = machineWithTwo();
      const screen = start(machine);
      await screen.until('How should they work together?');
      screen.press('Enter');
      await screen.until('What should the team work on?');
      screen.type('half a ta');
      screen.press(key);
      await screen.until('code: 130');
      await screen.until('Nothing was written.');
      expect(screen.rows().at(-1)).toBe('icanon');
      expect(screen.cursor()).toMatch(/,1$/u);
      expect(filesOf(machine)).toEqual([]);
    },
  );

  test('keeps a file that is there unless told otherwise', async () => {
    const machine = machineWithTwo();
    machine.write('huddle.jsonc', 'mine');
    const screen = start(machine);
    await screen.until('huddle.jsonc already exists. Overwrite it?');
    screen.press('Enter');
    await screen.until('code: 0');
    expect(teamFileOf(machine)).toBe('mine');
  });

  test.each<Readonly<Record<string, string>>>([{ CI: 'true' }, { TERM: 'dumb' }])(
    'asks nothing with %o',
    async (env) => {
      const machine = machineWithTwo();
      const screen = start(machine, env);
      await screen.until('code: 0');
      expect(filesOf(machine)).toContain('huddle.jsonc');
    },
  );
});
