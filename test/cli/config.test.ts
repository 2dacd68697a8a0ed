import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine } from './runHuddle.js';

const FILE = '../.config/huddle/config.jsonc';

function configOf({ folder }: Machine): string {
  return join(folder, '.config', 'huddle', 'config.jsonc');
}

function read(machine: Machine): string {
  return readFileSync(configOf(machine), 'utf8');
}

describe('huddle config', () => {
  test('shows every value with its source, and makes no file', async () => {
    const machine = createMachine();
    const { code, stdout } = await machine.run(['config']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.trimEnd().split(/ {2,}/u))).toEqual([
      ['setting', 'value', 'from'],
      ['language', 'en', 'locale'],
      ['team', 'none', 'default: the CLIs installed here'],
      ['prices', 'none', 'default'],
      ['notifications', 'on', 'default'],
      ['colours', 'auto', 'default'],
      ['data folder', '~/data', 'HUDDLE_HOME'],
      [''],
      [`Configuration file: ${configOf(machine)} (does not exist yet)`],
      [''],
    ]);
    expect(readdirSync(machine.folder)).not.toContain('.config');
  });

  test('names the line of the file, the variable or the team file that a value comes from', async () => {
    const machine = createMachine();
    machine.write(
      FILE,
      '// mine\n{\n  "language": "zh-CN",\n  "prices": {\n    "a": { "input": 1, "output": 2 },\n    "b": { "input": 3, "cachedInput": 0.3, "output": 4 },\n  },\n  "colours": "always",\n}\n',
    );
    machine.write('huddle.jsonc', {
      version: 1,
      members: [
        { name: 'kim', type: 'human' },
        { name: 'sarah', type: 'ai', agentType: 'codex', model: 'a' },
      ],
      prices: { a: { input: 7, output: 8 } },
    });
    const { stdout } = await machine.run(['config', '--json'], {
      env: { NO_COLOR: '1', LANG: 'en_GB.UTF-8' },
    });
    const file = configOf(machine);
    const teamFile = join(machine.project, 'huddle.jsonc');
    expect(JSON.parse(stdout)).toEqual({
      file,
      exists: true,
      problems: [],
      settings: [
        { key: 'language', value: 'zh-CN', source: { kind: 'config', file, line: 3 } },
        { key: 'team', value: teamFile, source: { kind: 'team-file', file: teamFile } },
        { key: 'prices.a', value: { input: 7, output: 8 }, source: { kind: 'team-file', file: teamFile } },
        {
          key: 'prices.b',
          value: { input: 3, cachedInput: 0.3, output: 4 },
          source: { kind: 'config', file, line: 6 },
        },
        { key: 'notifications', value: true, source: { kind: 'default' } },
        { key: 'colours', value: 'never', source: { kind: 'environment', name: 'NO_COLOR' } },
        {
          key: 'dataFolder',
          value: machine.env.HUDDLE_HOME,
          source: { kind: 'environment', name: 'HUDDLE_HOME' },
        },
      ],
    });
  });

  test.each([
    [['--lang', 'en'], {}, { kind: 'option', name: '--lang' }, 'en'],
    [[], { HUDDLE_LANG: 'zh' }, { kind: 'environment', name: 'HUDDLE_LANG' }, 'zh-CN'],
  ])('says which language holds and who named it (%j, %j)', async (args, env, source, value) => {
    const machine = createMachine();
    const { stdout } = await machine.run(['config', 'language', '--json', ...args], { env });
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify({ key: 'language', value, source }));
  });

  test('shows one setting', async () => {
    const machine = createMachine();
    expect((await machine.run(['config', 'colours'])).stdout).toMatch(/\ncolours +auto +default\n$/u);
    const { code, stderr } = await machine.run(['config', 'colors']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Did you mean colours?') });
  });

  test.each([
    ['an absolute XDG_CONFIG_HOME', '/elsewhere', 'elsewhere/huddle/config.jsonc'],
    ['not a relative one', 'elsewhere', '.config/huddle/config.jsonc'],
  ])('lies in %s', async (_title, folder, expected) => {
    const machine = createMachine();
    const env = { XDG_CONFIG_HOME: folder.startsWith('/') ? join(machine.folder, folder) : folder };
    expect((await machine.run(['config', 'path'], { env })).stdout).toBe(
      `${join(machine.folder, expected)}\n`,
    );
  });
});

describe('huddle config set', () => {
  test('makes the file, keeps comments, and the next command reads it', async () => {
    const machine = createMachine();
    const first = await machine.run(['config', 'set', 'colours', 'never']);
    expect(first).toMatchObject({ code: 0, stdout: `Set colours to never in ${configOf(machine)}\n` });
    expect(read(machine)).toBe('{\n  "colours": "never"\n}\n');
    machine.write(FILE, '// mine\n{\n  "colours": "never", // for the log\n}\n');
    await machine.run(['config', 'set', 'notifications', 'off']);
    expect(read(machine)).toBe(
      '// mine\n{\n  "colours": "never", // for the log\n  "notifications": false,\n}\n',
    );
    expect((await machine.run(['config', 'notifications'])).stdout).toMatch(/off +.*config\.jsonc:4\n$/u);
    expect(readdirSync(join(machine.folder, '.config', 'huddle'))).toEqual(['config.jsonc']);
  });

  test.each([
    [['prices.gpt-5.3', '1.25', '10'], { 'gpt-5.3': { input: 1.25, output: 10 } }],
    [
      ['prices.gpt-5.3', '1.25', '0.125', '10'],
      { 'gpt-5.3': { input: 1.25, cachedInput: 0.125, output: 10 } },
    ],
    [['prices.old.output', '9'], { old: { input: 1, output: 9 } }],
  ])('takes prices as %j', async (words, added) => {
    const machine = createMachine();
    machine.write(FILE, { prices: { old: { input: 1, output: 2 } } });
    expect(await machine.run(['config', 'set', ...words])).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(read(machine))).toEqual({ prices: { old: { input: 1, output: 2 }, ...added } });
  });

  test.each([
    [['colours', 'sometimes'], 'colours must be "auto", "always" or "never", not "sometimes".'],
    [['notifications', 'maybe'], 'notifications must be "on" or "off", not "maybe".'],
    [['colors', 'never'], 'Unknown setting "colors". Did you mean colours?'],
    [['prices.x', 'cheap', '1'], 'huddle config set prices.x <input> <output>.'],
    [['prices.x', '-1', '1'], 'huddle config set prices.x <input> <output>.'],
    [['prices.x'], "missing required argument 'value'."],
    [['prices.x', '1'], 'huddle config set prices.x <input> <output>.'],
    [['prices.x.input', '1'], 'huddle config set prices.x <input> <output>.'],
    [['colours', 'never', 'always'], 'colours takes one value.'],
  ])('refuses %j and writes nothing', async (words, said) => {
    const machine = createMachine();
    const { code, stderr } = await machine.run(['config', 'set', ...words]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
    expect(readdirSync(machine.folder)).not.toContain('.config');
  });

  test('writes through a link and keeps the mode of the file', async () => {
    const machine = createMachine();
    const real = machine.write('../dotfiles/huddle.jsonc', '{}\n');
    chmodSync(real, 0o640);
    mkdirSync(join(machine.folder, '.config', 'huddle'), { recursive: true });
    symlinkSync(real, configOf(machine));
    expect((await machine.run(['config', 'set', 'colours', 'never'])).code).toBe(0);
    expect(lstatSync(configOf(machine)).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('{\n  "colours": "never"\n}\n');
    expect(statSync(real).mode & 0o777).toBe(0o640);
  });

  test('repairs a value that is wrong, and leaves a file alone that is not JSON', async () => {
    const machine = createMachine();
    machine.write(FILE, '{ "colours": "sometimes" }');
    expect((await machine.run(['config', 'set', 'colours', 'never'])).code).toBe(0);
    machine.write(FILE, '{ "colours": ');
    const { code, stderr } = await machine.run(['config', 'set', 'colours', 'never']);
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining('[SYNTAX]') });
    expect(read(machine)).toBe('{ "colours": ');
  });

  test('unset removes a value, and says so when there is none', async () => {
    const machine = createMachine();
    machine.write(FILE, '{\n  // mine\n  "colours": "never",\n  "notifications": true\n}\n');
    expect(await machine.run(['config', 'unset', 'colours'])).toMatchObject({
      code: 0,
      stdout: `Removed colours from ${configOf(machine)}\n`,
    });
    expect(read(machine)).toBe('{\n  // mine\n  "notifications": true\n}\n');
    expect(await machine.run(['config', 'unset', 'team'])).toMatchObject({
      code: 0,
      stdout: `team is not set in ${configOf(machine)}\n`,
    });
    expect((await machine.run(['config', 'unset', 'tema'])).code).toBe(2);
  });

  test('is refused inside a turn', async () => {
    const machine = createMachine();
    for (const args of [
      ['set', 'colours', 'never'],
      ['unset', 'colours'],
    ])
      expect((await machine.run(['config', ...args], { env: { HUDDLE_TURN: '1' } })).code).toBe(77);
  });
});

describe('a damaged configuration file', () => {
  const DAMAGED =
    '{\n  "colour": "never",\n  "language": "zh-cn",\n  "prices": { "a": { "input": "1" } }\n}\n';

  test('stops what would use it, with every problem and its place', async () => {
    const machine = createMachine();
    machine.write(FILE, DAMAGED);
    for (const args of [['sessions'], ['run', 'Go.'], ['rehearse']]) {
      const { code, stderr } = await machine.run(args);
      expect(code).toBe(78);
      expect(stderr).toContain(`error[CONFIG_INVALID]: ${configOf(machine)} is not valid:`);
      expect(stderr).toMatch(
        /config\.jsonc:2:3 unknown field "colour"; did you mean "colours"\? \[UNKNOWN_FIELD\]/u,
      );
      expect(stderr).toMatch(/:3:15 `language` must be one of .*; use "zh-CN" \[UNKNOWN_VALUE\]/u);
      expect(stderr).toMatch(/:4:\d+ `prices\.a\.input` must be a number, not "1".* \[WRONG_TYPE\]/u);
      expect(stderr).toMatch(/:4:\d+ `prices\.a\.output` is missing/u);
    }
  });

  test.each([
    ['help', ['run', '--help'], 0],
    ['the version', ['--version'], 0],
    ['doctor', ['doctor'], 78],
    ['config', ['config'], 78],
    ['config path', ['config', 'path'], 0],
    ['completion', ['completion', 'bash'], 0],
  ])('does not stop %s', async (_title, args, expected) => {
    const machine = createMachine();
    machine.write(FILE, DAMAGED);
    const { code, stdout, stderr } = await machine.run(args);
    expect({ code, isSaid: stdout !== '', error: stderr.includes('error[') }).toEqual({
      code: expected,
      isSaid: true,
      error: false,
    });
  });

  test.each([
    ['an empty one', ''],
    ['only a comment', '// nothing yet\n'],
    ['an empty object', '{}'],
  ])('is not %s', async (_title, text) => {
    const machine = createMachine();
    machine.write(FILE, text);
    expect((await machine.run(['sessions'])).code).toBe(0);
  });

  test.each([
    ['a folder', (machine: Machine) => mkdirSync(configOf(machine), { recursive: true })],
    [
      'a broken link',
      (machine: Machine) => {
        mkdirSync(join(machine.folder, '.config', 'huddle'), { recursive: true });
        symlinkSync('nowhere', configOf(machine));
      },
    ],
  ])('can be %s', async (_title, make) => {
    const machine = createMachine();
    make(machine);
    expect((await machine.run(['sessions'])).code).toBe(78);
  });
});
