import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changeUserSettings } from '../../src/config/changeUserSettings.js';
import { withLockFile } from '../../src/config/privateFile.js';
import { findTrustedFolder } from '../../src/config/trust.js';
import { defer } from '../../src/utils/defer.js';
import { describeThisProcess } from '../../src/utils/processIdentity.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

const PROCESSES = 3;
const FOLDERS = 8;
const IMPATIENT = { patience: 50 };

describe('the lock of a file', () => {
  test(`lets ${PROCESSES} processes trust ${FOLDERS} folders each at once, and no decision is lost`, async () => {
    const dataFolder = join(makeTemporaryFolder(), 'data');
    const program = await bundleProgram(new URL('trustProgram.ts', import.meta.url));
    onTestFinished(() => rmSync(dirname(program), { recursive: true }));
    const folders = Array.from({ length: PROCESSES }, () =>
      Array.from({ length: FOLDERS }, () => makeTemporaryFolder()),
    );
    const ends = folders.map((ofOne) => {
      const child = spawn(process.execPath, [program, dataFolder, ...ofOne], { stdio: 'inherit' });
      return once(child, 'close');
    });
    for (const [code] of await Promise.all(ends)) expect(code).toBe(0);
    for (const folder of folders.flat())
      expect(await findTrustedFolder(folder, { dataFolder })).toMatchObject({ fingerprint: folder });
  });

  test('is waited for, and left to its holder by whoever waited in vain, who is told which process has it', async () => {
    const file = makeLockPath();
    const [isHeld, isOver] = [defer<void>(), defer<void>()];
    const holding = withLockFile(file, () => {
      isHeld.resolve();
      return isOver.promise;
    });
    await isHeld.promise;
    const before = readFileSync(file, 'utf8');
    await expect(withLockFile(file, async () => 'never', IMPATIENT)).rejects.toMatchObject({
      code: 'FILE_LOCKED',
      message: `Process ${process.pid} on ${hostname()} has held the lock ${file} for too long; nothing was changed. Try again when it is done. If it is gone: rm ${file}`,
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const next = withLockFile(file, async () => 'then');
    isOver.resolve();
    await holding;
    expect(await next).toBe('then');
    expect(existsSync(file)).toBe(false);
  });

  test('is taken over from a process that is gone', async () => {
    const file = makeLockPath();
    const gone = { ...describeThisProcess(), processStart: 'long ago', mark: 'x' };
    writeFileSync(file, JSON.stringify(gone));
    expect(await withLockFile(file, async () => 'done', IMPATIENT)).toBe('done');
    expect(existsSync(file)).toBe(false);
  });

  test('is taken over when it was never written to its end, but not at once', async () => {
    const file = makeLockPath();
    writeFileSync(file, '');
    await expect(withLockFile(file, async () => 'never', IMPATIENT)).rejects.toMatchObject({
      code: 'FILE_LOCKED',
      message: expect.stringMatching(/^Another process has held the lock/u),
    });
    utimesSync(file, 1, 1);
    expect(await withLockFile(file, async () => 'done', IMPATIENT)).toBe('done');
  });

  test('of a process on another machine is never taken over', async () => {
    const file = makeLockPath();
    writeFileSync(file, JSON.stringify({ ...describeThisProcess(), host: 'elsewhere', mark: 'x' }));
    const attempt = withLockFile(file, async () => 'never', IMPATIENT);
    await expect(attempt).rejects.toThrow(`Process ${process.pid} on elsewhere has held the lock`);
  });

  test('is free again when the work throws', async () => {
    const file = makeLockPath();
    const failing = withLockFile(file, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  test('lets settings be made by several at once', async () => {
    const file = join(makeTemporaryFolder(), 'made', 'config.jsonc');
    mkdirSync(dirname(file));
    const changes = [
      { path: ['prices', 'opus'], value: { input: 1, output: 2 } },
      { path: ['language'], value: 'zh-CN' },
    ];
    await Promise.all(
      changes.map((change) => changeUserSettings(change, { file, homeFolder: dirname(file) })),
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      prices: { opus: { input: 1, output: 2 } },
      language: 'zh-CN',
    });
  });
});

function makeLockPath(): string {
  return join(makeTemporaryFolder(), 'trust.json.lock');
}
