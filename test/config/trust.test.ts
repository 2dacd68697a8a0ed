import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveDataFolder } from '../../src/config/resolveDataFolder.js';
import { findTrustedFolder, isTrusted, TrustError, trustFolder } from '../../src/config/trust.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

const date = new Date('2030-01-02T03:04:05.678Z');

describe('trust', () => {
  it('is given to nobody at first, and asking writes nothing', async () => {
    const { project, options } = makePlace();
    expect(await isTrusted(project, 'a', options)).toBe(false);
    expect(() => statSync(options.dataFolder)).toThrow('ENOENT');
  });

  it('is in one folder and what starts there', async () => {
    const { project, options } = makePlace();
    mkdirSync(join(project, 'below'));
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    expect(await isTrusted(project, 'a', options)).toBe(true);
    expect(await isTrusted(project, 'b', options)).toBe(false);
    expect(await isTrusted(join(project, 'below'), 'a', options)).toBe(false);
    expect(await isTrusted(join(project, '..'), 'a', options)).toBe(false);
  });

  it('is recorded with the real folder, the date and the files outside it', async () => {
    const { project, options } = makePlace();
    symlinkSync(project, `${project}-link`);
    await trustFolder(
      { folder: `${project}-link`, fingerprint: 'a', files: ['/roles/max.md'], date },
      options,
    );
    expect(await findTrustedFolder(project, options)).toEqual({
      folder: project,
      date: '2030-01-02T03:04:05.678Z',
      fingerprint: 'a',
      files: ['/roles/max.md'],
    });
  });

  it('for a folder takes the place of the one before and leaves other folders alone', async () => {
    const { project, options } = makePlace();
    const other = join(project, 'other');
    mkdirSync(other);
    await trustFolder({ folder: other, fingerprint: 'x', date }, options);
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    await trustFolder({ folder: project, fingerprint: 'b', date }, options);
    expect(await isTrusted(project, 'a', options)).toBe(false);
    expect(await isTrusted(project, 'b', options)).toBe(true);
    expect(await isTrusted(other, 'x', options)).toBe(true);
    expect(readdirSync(options.dataFolder)).toEqual(['trust.json']);
  });

  it.each([
    ['an empty file', ''],
    ['half a file', '{"version":1,"folders":[{"folder":"/a"'],
    ['another shape', '{"version":1,"folders":{"/a":true}}'],
    ['a newer version', '{"version":2,"folders":[]}'],
    ['__proto__', '{"version":1,"folders":[],"__proto__":{"x":1}}'],
  ])('says clearly that its record is damaged and leaves it alone: %s', async (_title, content) => {
    const { project, options } = makePlace();
    mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    const file = join(options.dataFolder, 'trust.json');
    writeFileSync(file, content, { mode: 0o600 });
    const damaged = { code: 'TRUST_RECORD_DAMAGED', file };
    await expect(isTrusted(project, 'a', options)).rejects.toMatchObject(damaged);
    await expect(trustFolder({ folder: project, fingerprint: 'a', date }, options)).rejects.toMatchObject(
      damaged,
    );
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(options.dataFolder)).toEqual(['trust.json']);
  });

  it('closes a record that others could read, with a notice', async () => {
    const { project, options } = makePlace();
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    const file = join(options.dataFolder, 'trust.json');
    chmodSync(file, 0o644);
    chmodSync(options.dataFolder, 0o755);
    const notices: string[] = [];
    const logger = { warn: (notice: string) => notices.push(notice) };
    await trustFolder({ folder: project, fingerprint: 'b', date }, { ...options, logger });
    expect(notices).toEqual([`${file} had mode 644; now 600`, `${options.dataFolder} had mode 755; now 700`]);
    expect([modeOf(file), modeOf(options.dataFolder)]).toEqual([0o600, 0o700]);
  });

  it.each(['000', '022', '077'])('is kept from others under umask %s', (umask) => {
    const { project, options } = makePlace();
    const script = new URL('../fixtures/trustFolder.mjs', import.meta.url).pathname;
    const shell = `umask ${umask}; exec "$0" "$@"`;
    execFileSync('sh', ['-c', shell, process.execPath, script, options.dataFolder, project]);
    expect(modeOf(options.dataFolder)).toBe(0o700);
    expect(modeOf(join(options.dataFolder, 'trust.json'))).toBe(0o600);
  });
});

describe('TrustError', () => {
  it('lists what would start and how to allow it', () => {
    const error = new TrustError('/project', [
      {
        member: 'max',
        agentType: 'claude-code',
        command: ['claude'],
        permission: 'full',
        allow: [],
        deny: [],
        env: 'inherit',
      },
    ]);
    expect(error.code).toBe('FOLDER_NOT_TRUSTED');
    expect(error.message).toBe(
      'The team file in /project starts programs that nobody has trusted yet:\n' +
        '"max" runs "claude"\n' +
        '  permission full, environment inherit\n' +
        'Look through them, then run `huddle trust`, or add --trust for this run only.',
    );
  });
});

describe('resolveDataFolder', () => {
  it.each([
    [{}, '/home/kailai/.local/share/huddle'],
    [{ XDG_DATA_HOME: '/data' }, '/data/huddle'],
    [{ XDG_DATA_HOME: 'relative' }, '/home/kailai/.local/share/huddle'],
    [{ XDG_DATA_HOME: '' }, '/home/kailai/.local/share/huddle'],
    [{ HUDDLE_HOME: '/huddle', XDG_DATA_HOME: '/data' }, '/huddle'],
    [{ HUDDLE_HOME: '' }, '/home/kailai/.local/share/huddle'],
  ])('for %j is %s', (env, folder) => {
    expect(resolveDataFolder(env, '/home/kailai')).toBe(folder);
  });
});

function makePlace() {
  const folder = makeTemporaryFolder();
  const project = join(folder, 'project');
  mkdirSync(project);
  return { project, options: { dataFolder: join(folder, 'data', 'huddle') } };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
