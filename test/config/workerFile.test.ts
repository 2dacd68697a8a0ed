import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadWorkerFile } from '../../src/config/loadWorkerFile.js';
import { loadMachineKey, replaceMachineKey } from '../../src/config/machineKey.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

let home = '';
const folder = (): string => home;
beforeEach(() => {
  home = makeTemporaryFolder();
});

const KEY = `ed25519:${'A'.repeat(43)}`;

describe('the worker file', () => {
  it('says what is started, for whom and where', async () => {
    const file = await load(`{ // the box
      "version": 1, "store": "work", "askers": { "kim": "${KEY}" }, "accounts": { "acme-codex": 6 },
      "members": [
        { "name": "Sarah", "agentType": "codex", "folder": "/srv/app", "account": "acme-codex" },
        { "name": "fixer", "agentType": "claude", "folder": "~/app", "permission": "full", "askers": ["kim"] },
        { "name": "open", "agentType": "opencode", "folder": "app", "model": "x" },
      ],
      "teams": { "review": { "file": "review.jsonc", "folder": "/srv/checkouts", "prepare": ["/srv/bin/checkout"] } },
    }`);
    expect(file).toMatchObject({
      store: 'work',
      atOnce: 4,
      askers: new Map([['kim', KEY]]),
      accounts: new Map([['acme-codex', 6]]),
      limits: { idleMinutes: 10, turnMinutes: 30 },
      members: [
        {
          folder: '/srv/app',
          account: 'acme-codex',
          member: {
            id: 'sarah',
            name: 'Sarah',
            agentType: 'openai-codex',
            permission: 'read',
            env: 'inherit',
          },
        },
        {
          folder: '/home/kim/app',
          askers: ['kim'],
          member: { agentType: 'claude-code', permission: 'full' },
        },
        {
          folder: join(folder(), 'app'),
          member: { agentType: 'acp', command: ['opencode', 'acp'], model: 'x' },
        },
      ],
      teams: new Map([
        [
          'review',
          { file: join(folder(), 'review.jsonc'), folder: '/srv/checkouts', prepare: ['/srv/bin/checkout'] },
        ],
      ]),
    });
  });

  it('lists everything that is wrong with it, each with its place', async () => {
    await expect(
      load(`{ "version": 1,
  "askers": { "kim": "ssh-ed25519 AAAA" },
  "members": [
    { "name": "sarah", "agentType": "codex", "folder": "/srv", "account": "acme" },
    { "name": "SARAH", "agentType": "codex", "folder": "/srv", "allow": ["Bash"] },
    { "name": "fixer", "agentType": "claude", "folder": "/srv", "permission": "full" },
    { "name": "shell", "agentType": "command", "folder": "/srv", "askers": ["bob"] } ] }`),
    ).rejects.toThrow(
      [
        'worker.jsonc:2:22 `askers.kim` is not a public key; copy the one that huddle key prints: "ed25519:…" [KEY_INVALID]',
        'worker.jsonc:4:75 members[0]: "acme" is not in "accounts", which is empty [NAME_UNDEFINED]',
      ].join(`\n${folder()}/`),
    );
    await expect(load('{ "version": 1, "accounts": { "acme": 0 } }')).rejects.toThrow(
      '`accounts.acme` must be at least 1',
    );
    await expect(load('{ "version": 1, "member": [] }')).rejects.toThrow(
      'unknown field "member"; did you mean "members"?',
    );
    await expect(
      load(
        '{ "version": 1, "members": [ { "name": "s", "agentType": "codex", "folder": "/", "env": "x" } ] }',
      ),
    ).rejects.toThrow('must be one of "inherit", "minimal"');
  });

  it('is refused when others may change it', async () => {
    const file = write('{ "version": 1 }');
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(file, mode);
      await expect(loadWorkerFile({ file, homeFolder: '/' })).rejects.toMatchObject({
        code: 'FILE_OPEN_TO_OTHERS',
      });
    }
    chmodSync(file, 0o644);
    await expect(loadWorkerFile({ file, homeFolder: '/' })).resolves.toBeDefined();
  });

  it.each(['the folder', 'a folder above it', 'the folder of a link to it'])(
    'is refused when others may write into %s, and not when they could not replace it',
    async (which) => {
      const top = folder();
      const [inner, other] = [join(top, 'inner'), join(top, 'other')];
      mkdirSync(inner);
      mkdirSync(other);
      const target = join(inner, 'worker.jsonc');
      writeFileSync(target, '{ "version": 1 }', { mode: 0o600 });
      const link = join(other, 'worker.jsonc');
      symlinkSync(target, link);
      const [open, file] =
        which === 'the folder'
          ? [inner, target]
          : which === 'a folder above it'
            ? [top, target]
            : [other, link];
      const loads = () => loadWorkerFile({ file, homeFolder: '/' });
      for (const mode of [0o777, 0o757]) {
        chmodSync(open, mode);
        await expect(loads()).rejects.toMatchObject({
          code: 'FILE_OPEN_TO_OTHERS',
          facts: { file, folder: open, mode: mode.toString(8) },
          message: expect.stringContaining(`chmod go-w ${open}`),
        });
      }
      for (const mode of [0o1777, 0o755]) {
        chmodSync(open, mode);
        await expect(loads()).resolves.toBeDefined();
      }
    },
  );
});

describe('the key of a machine', () => {
  it('is refused in a folder into which others may write', async () => {
    const file = join(folder(), 'key.pem');
    await loadMachineKey(file);
    chmodSync(dirname(file), 0o777);
    await expect(loadMachineKey(file)).rejects.toMatchObject({ code: 'FILE_OPEN_TO_OTHERS' });
  });

  it('is made once, for its owner alone', async () => {
    const file = join(folder(), 'huddle', 'key.pem');
    const keys = await Promise.all([loadMachineKey(file), loadMachineKey(file)]);
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(keys[0]?.publicKey).toMatch(/^ed25519:[\w-]{43}$/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is refused when others may read it, and when it is none', async () => {
    const file = join(folder(), 'key.pem');
    await loadMachineKey(file);
    chmodSync(file, 0o640);
    await expect(loadMachineKey(file)).rejects.toMatchObject({ code: 'FILE_OPEN_TO_OTHERS' });
    writeFileSync(file, 'not a key');
    chmodSync(file, 0o600);
    await expect(loadMachineKey(file)).rejects.toMatchObject({ code: 'KEY_UNREADABLE' });
  });

  it('is another one after it was replaced', async () => {
    const file = join(folder(), 'key.pem');
    const { publicKey } = await loadMachineKey(file);
    const before = readFileSync(file, 'utf8');
    expect((await replaceMachineKey(file)).publicKey).not.toBe(publicKey);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('runsOn in a team', () => {
  it('names the role of the workers that run the member', () => {
    const result = resolveTeam(teamOf({ agentType: 'command', runsOn: 'gpu_box', memory: 'session' }));
    expect(result).toMatchObject({
      ok: true,
      team: { members: [{}, { runsOn: 'gpu_box', memory: 'session' }] },
    });
  });

  it.each([
    'command',
    'output',
    'model',
    'permission',
    'allow',
    'deny',
    'env',
    'credentials',
    'workspace',
    'check',
  ])('leaves `%s` to the worker, also the default', (field) => {
    const values: Record<string, unknown> = {
      command: ['sh'],
      output: 'text',
      model: 'x',
      permission: 'read',
      allow: [],
      deny: [],
      env: 'inherit',
      credentials: [],
      workspace: 'shared',
      check: false,
    };
    const result = resolveTeam(teamOf({ agentType: 'command', runsOn: 'gpu_box', [field]: values[field] }));
    expect(result).toMatchObject({
      ok: false,
      problems: [{ code: 'OF_THE_WORKER', pointer: `/members/1/${field}`, runsOn: 'gpu_box' }],
    });
  });

  it('needs a role', () => {
    expect(resolveTeam(teamOf({ agentType: 'codex', runsOn: '' }))).toMatchObject({ ok: false });
    expect(resolveTeam(teamOf({ agentType: 'codex', runsOn: 'x'.repeat(64) }))).toMatchObject({ ok: false });
  });
});

function teamOf(agent: object): object {
  return {
    version: 1,
    members: [
      { name: 'kim', type: 'human' },
      { name: 'sarah', type: 'ai', ...agent },
    ],
  };
}

function write(text: string): string {
  mkdirSync(folder(), { recursive: true });
  const file = join(folder(), 'worker.jsonc');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function load(text: string) {
  return loadWorkerFile({ file: write(text), homeFolder: '/home/kim' });
}
