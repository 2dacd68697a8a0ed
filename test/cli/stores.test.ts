import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const URL = 'postgres://kim@db.example.org/huddle?sslmode=verify-full';

function storesFile({ folder }: Machine): string {
  return join(folder, '.config', 'huddle', 'stores.json');
}

function writeStores(machine: Machine, text: string, mode = 0o600): void {
  mkdirSync(join(machine.folder, '.config', 'huddle'), { recursive: true });
  writeFileSync(storesFile(machine), text, { mode });
  chmodSync(storesFile(machine), mode);
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

describe('huddle store add', () => {
  test('saves the name in a file of the user alone, and says how to check it', async () => {
    const machine = createMachine();
    expect(await machine.run(['store', 'list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No shared stores.'),
    });
    expect(await machine.run(['store', 'add', 'work', URL])).toEqual({
      code: 0,
      signal: null,
      stdout: `Added work: ${URL}\n`,
      stderr: 'Check it: huddle store check work\n',
    });
    expect(modeOf(storesFile(machine))).toBe(0o600);
    expect(JSON.parse(readFileSync(storesFile(machine), 'utf8'))).toEqual({
      version: 1,
      stores: { work: URL },
    });
    const { stdout } = await machine.run(['store', 'list', '--json'], { env: { HUDDLE_STORE: 'work' } });
    expect(JSON.parse(stdout)).toEqual([{ name: 'work', url: URL, chosen: true }]);
  });

  test.each([
    [
      'a password',
      'postgres://kim:hush-hush@db.example.org/huddle?sslmode=verify-full',
      'contains a password',
    ],
    ['a password as a setting', `${URL}&password=hush-hush`, 'contains a password'],
    ['no TLS', 'postgres://kim@db.example.org/huddle', 'Add ?sslmode=verify-full'],
    [
      'TLS that verifies nothing',
      'postgres://kim@db.example.org/huddle?sslmode=require',
      'sslmode=verify-full',
    ],
    ['a setting that could mean anything', `${URL}&options=-csearch_path%3Dx`, 'unknown setting "options"'],
    ['another scheme', 'https://db.example.org/huddle', 'not a postgres:// URL'],
    ['no URL', 'hush-hush', 'not a postgres:// URL'],
  ])('refuses an address with %s, without repeating it', async (_, url, reason) => {
    const machine = createMachine();
    for (const args of [
      ['store', 'add', 'work', url],
      ['store', 'init', 'work', '--url', url],
    ]) {
      const { code, stdout, stderr } = await machine.run(args);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toContain('error[STORE_URL]');
      expect(stderr).toContain(reason);
      expect(stderr).not.toContain('hush-hush');
    }
    expect(existsSync(storesFile(machine))).toBe(false);
  });

  test('keeps a name that is taken, unless --force says otherwise', async () => {
    const machine = createMachine();
    const other = URL.replace('db.', 'db2.');
    await machine.run(['store', 'add', 'work', URL]);
    expect(await machine.run(['store', 'add', 'work', URL])).toMatchObject({ code: 0 });
    expect(await machine.run(['store', 'add', 'work', other])).toMatchObject({
      code: 2,
      stderr: `error[STORE_NAME_TAKEN]: "work" already names ${URL}. Nothing was changed. Choose another name, or replace it: add --force\n`,
    });
    expect(readFileSync(storesFile(machine), 'utf8')).toContain(URL);
    expect(await machine.run(['store', 'add', 'work', other, '--force'])).toMatchObject({ code: 0 });
    expect(readFileSync(storesFile(machine), 'utf8')).toContain(other);
  });

  test.each(['local', 'LOCAL', '', '../work', 'wo rk', `${'x'.repeat(33)}`])(
    'refuses the name %j',
    async (name) => {
      const machine = createMachine();
      expect(await machine.run(['store', 'add', name, URL])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('cannot name a store'),
      });
      expect(existsSync(storesFile(machine))).toBe(false);
    },
  );
});

describe('the file with the names of stores', () => {
  test('is not believed when other users can change it', async () => {
    const machine = createMachine();
    writeStores(machine, JSON.stringify({ version: 1, stores: { work: URL } }), 0o622);
    const { code, stderr } = await machine.run(['sessions', '--store', 'work']);
    expect({ code, stderr }).toEqual({
      code: 77,
      stderr: expect.stringContaining(`Make it yours alone: chmod 600 ${storesFile(machine)}`),
    });
  });

  test('is closed to readers', async () => {
    const machine = createMachine();
    writeStores(machine, JSON.stringify({ version: 1, stores: { work: URL } }), 0o644);
    expect(await machine.run(['store', 'list'])).toMatchObject({ code: 0 });
    expect(modeOf(storesFile(machine))).toBe(0o600);
  });

  test.each(['{', '[]', 'null', '{"version":2,"stores":{}}', '{"version":1,"stores":{"work":1}}'])(
    'is refused when it is %s, and left as it is',
    async (text) => {
      const machine = createMachine();
      writeStores(machine, text);
      for (const args of [
        ['sessions', '--store', 'work'],
        ['store', 'list'],
        ['store', 'add', 'work', URL],
      ])
        expect(await machine.run(args)).toMatchObject({
          code: 78,
          stderr: expect.stringContaining('error[STORES_FILE_INVALID]'),
        });
      expect(readFileSync(storesFile(machine), 'utf8')).toBe(text);
    },
  );
});

describe('the choice of a store', () => {
  const unknown = 'No shared store "work" on this machine, so nothing was sent.';

  test.each([
    [['sessions', '--store', 'work'], {}, '--store work'],
    [['--store', 'work', 'sessions'], {}, '--store work'],
    [['sessions'], { HUDDLE_STORE: 'work' }, 'HUDDLE_STORE=work'],
    [['run', '--store=work', 'Hello'], {}, '--store work'],
    [['-p', '--store', 'work', 'Hello'], {}, '--store work'],
    [['show'], { HUDDLE_STORE: 'work' }, 'HUDDLE_STORE=work'],
    [['import', 'x.jsonl', '--store', 'work'], {}, '--store work'],
  ])('is never another one in place of %j', async (args, env, source) => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    await machine.trust();
    expect(await machine.run(args, { env })).toMatchObject({
      code: 78,
      stdout: '',
      stderr: expect.stringContaining(`error[UNKNOWN_STORE]: ${source}: ${unknown}`),
    });
    expect(existsSync(join(machine.folder, 'data', 'conversations.sqlite'))).toBe(false);
  });

  test('comes from the team file when nothing else says it, also from the one of --team', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, { store: 'work' }));
    machine.write('teams/other.jsonc', teamFile({ max: { agentType: 'claude' } }, { store: 'other' }));
    await machine.run(['store', 'add', 'wrok', URL]);
    expect(await machine.run(['sessions'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`"store": "work" in huddle.jsonc: ${unknown} Did you mean wrok?`),
    });
    expect(await machine.run(['acp', '--team', 'teams/other.jsonc'])).toMatchObject({ code: 0 });
    const { stderr } = await machine.run(['web', '--watch-only', 'x', '--team', 'teams/other.jsonc']);
    expect(stderr).toContain('"store": "other" in teams/other.jsonc');
    // The sessions on this machine stay in reach.
    for (const options of [
      { args: ['sessions', '--store', 'local'] },
      { args: ['sessions'], env: { HUDDLE_STORE: 'local' } },
    ])
      expect(await machine.run(options.args, { env: options.env ?? {} })).toMatchObject({ code: 0 });
  });

  test('is not in the hands of a cloned repository', async () => {
    const machine = createMachine();
    const evil = 'postgres://kim@evil.example.org/huddle?sslmode=verify-full';
    const stores = { version: 1, stores: { evil, work: evil } };
    for (const file of [
      'stores.json',
      '.config/huddle/stores.json',
      '.huddle/stores.json',
      'huddle/stores.json',
    ])
      machine.write(file, stores);
    await machine.run(['store', 'add', 'work', 'postgres://kim@127.0.0.1:1/huddle']);
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, { store: 'evil' }));
    expect(await machine.run(['sessions'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('No shared store "evil"'),
    });
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, { store: evil }));
    expect(await machine.run(['sessions'])).toMatchObject({ code: 78 });
    expect(await machine.run(['team', 'check'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('store'),
    });
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, { store: 'work' }));
    const { code, stderr } = await machine.run(['sessions']);
    expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining('127.0.0.1') });
    expect(stderr).not.toContain('evil');
  });

  test('says that a store is out of reach, and what is safe', async () => {
    const machine = createMachine();
    await machine.run(['store', 'add', 'work', 'postgres://kim@127.0.0.1:1/huddle']);
    for (const args of [
      ['sessions', '--store', 'work'],
      ['store', 'check', 'work'],
      ['store', 'invite', 'work', 'bob'],
    ])
      expect(await machine.run(args)).toMatchObject({
        code: 74,
        stdout: '',
        stderr: expect.stringContaining('error[STORE_OUT_OF_REACH]'),
      });
  });

  test('is completed with Tab', async () => {
    const machine = createMachine();
    await machine.run(['store', 'add', 'work', URL]);
    for (const words of [
      ['sessions', '--store', ''],
      ['store', 'check', ''],
      ['--store', ''],
    ]) {
      const { stdout } = await machine.run(['completion', 'fish', '--', ...words]);
      expect(stdout).toContain('work\t');
    }
    const { stdout } = await machine.run(['completion', 'fish', '--', 'store', '']);
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      ...['init', 'add', 'invite', 'remove', 'upgrade', 'check', 'list', 'help', ''],
    ]);
  });
});

describe('huddle key', () => {
  test('prints the same public key each time, and keeps the private one to itself', async () => {
    const machine = createMachine();
    const first = await machine.run(['key']);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ed25519:[\w-]{43}\n$/u) });
    const file = join(machine.folder, '.config', 'huddle', 'key.pem');
    expect(modeOf(file)).toBe(0o600);
    expect(first.stderr).toContain('.config/huddle/key.pem');
    expect((await machine.run(['key'])).stdout).toBe(first.stdout);
    const second = await machine.run(['key', '--new']);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ed25519:[\w-]{43}\n$/u) });
    expect(second.stdout).not.toBe(first.stdout);
    expect(modeOf(file)).toBe(0o600);
    expect((await machine.run(['key'])).stdout).toBe(second.stdout);
  });

  test('is not replaced by an agent', async () => {
    const machine = createMachine();
    const { stdout } = await machine.run(['key']);
    const env = { HUDDLE_TURN: 'x', HUDDLE_TURN_OF: 'turn-1 of session x' };
    for (const args of [['key'], ['key', '--new'], ['store', 'add', 'work', URL]])
      expect(await machine.run(args, { env })).toMatchObject({
        code: 77,
        stderr: expect.stringContaining('NESTED'),
      });
    expect((await machine.run(['key'])).stdout).toBe(stdout);
  });
});
