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
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveDataFolder } from '../../src/config/resolveDataFolder.js';
import { findTrustedFolder, trustFolder } from '../../src/config/trust.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

const date = new Date('2030-01-02T03:04:05.678Z');

describe('trust', () => {
  it('is given to nobody at first, and asking writes nothing', async () => {
    const { project, options } = makePlace();
    expect(await findTrustedFolder(project, options)).toBeUndefined();
    expect(() => statSync(options.dataFolder)).toThrow('ENOENT');
  });

  it('is in one folder', async () => {
    const { project, options } = makePlace();
    mkdirSync(join(project, 'below'));
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    expect(await findTrustedFolder(project, options)).toMatchObject({ fingerprint: 'a' });
    expect(await findTrustedFolder(join(project, 'below'), options)).toBeUndefined();
    expect(await findTrustedFolder(join(project, '..'), options)).toBeUndefined();
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
      fields: {},
      files: ['/roles/max.md'],
      programs: [],
      grants: [],
    });
  });

  it('keeps what a later decision about the same folder says nothing of', async () => {
    const { project, options } = makePlace();
    await trustFolder({ folder: project, fingerprint: 'a', fields: { task: '#1' }, date }, options);
    await trustFolder({ folder: project, programs: ['/project/bin/claude'], date }, options);
    expect(await findTrustedFolder(project, options)).toMatchObject({
      fingerprint: 'a',
      fields: { task: '#1' },
      programs: ['/project/bin/claude'],
    });
  });

  it('reads a record from before fields and programs were written down', async () => {
    const { project, options } = makePlace();
    mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    const entry = { folder: project, date: date.toISOString(), fingerprint: 'a', files: [] };
    const record = JSON.stringify({ version: 1, folders: [entry] });
    writeFileSync(join(options.dataFolder, 'trust.json'), record, { mode: 0o600 });
    expect(await findTrustedFolder(project, options)).toEqual({
      ...entry,
      fields: {},
      programs: [],
      grants: [],
    });
  });

  it('is not held up for good by a lock that was left behind', async () => {
    const { project, options } = makePlace();
    mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    writeFileSync(join(options.dataFolder, 'trust.json.lock'), '');
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    expect(readdirSync(options.dataFolder)).toEqual(['trust.json']);
  });

  it('for a folder takes the place of the one before and leaves other folders alone', async () => {
    const { project, options } = makePlace();
    const other = join(project, 'other');
    mkdirSync(other);
    await trustFolder({ folder: other, fingerprint: 'x', date }, options);
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    await trustFolder({ folder: project, fingerprint: 'b', date }, options);
    expect(await findTrustedFolder(project, options)).toMatchObject({ fingerprint: 'b' });
    expect(await findTrustedFolder(other, options)).toMatchObject({ fingerprint: 'x' });
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
    await expect(findTrustedFolder(project, options)).rejects.toMatchObject(damaged);
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

  it.each(['000', '022', '077'])('is kept from others under umask %s', async (umask) => {
    const { project, options } = makePlace();
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    await trustFolder({ folder: project, fingerprint: 'a', date }, options);
    expect(modeOf(options.dataFolder)).toBe(0o700);
    expect(modeOf(join(options.dataFolder, 'trust.json'))).toBe(0o600);
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
