import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { prepareFolder } from '../../../src/agents/process/prepareFolder.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { isAlive } from './hostileAgent.js';

/** Prepares a new folder with these words. */
function prepare(command: readonly string[], signal = new AbortController().signal) {
  const folder = makeTemporaryFolder();
  return {
    folder,
    done: prepareFolder({ command, workingFolder: folder, projectFolder: folder }, {}, signal),
  };
}

test('a program that ends well has prepared the folder', async () => {
  const { folder, done } = prepare(['sh', '-c', 'echo installed > installed.txt']);
  expect(await done).toBeUndefined();
  expect(readFileSync(join(folder, 'installed.txt'), 'utf8')).toBe('installed\n');
});

test('a program that fails is quoted with the end of what it said', async () => {
  expect(await prepare(['sh', '-c', 'seq 9999; echo no lock file >&2; exit 3']).done).toEqual({
    detail: expect.stringMatching(/^sh: ended with code 3\n[\d\s]{1,4080}9999\nno lock file$/u),
  });
  expect(await prepare(['sh', '-c', 'kill -9 $$']).done).toEqual({ detail: 'sh: ended with SIGKILL' });
});

test('a program that is not there is named as one of an agent would be', async () => {
  expect(await prepare(['no-such-program']).done).toMatchObject({
    failure: { code: 'AGENT_MISSING', reason: 'not-found', program: 'no-such-program' },
  });
});

test('a program that is stopped ends with everything that it started', async () => {
  const stop = new AbortController();
  const { folder, done } = prepare(['sh', '-c', 'setsid sleep 600 & echo $! > pid; wait'], stop.signal);
  const pid = await vi.waitFor(() => Number(/^\d+$/mu.exec(readFileSync(join(folder, 'pid'), 'utf8'))), {
    timeout: 10_000,
  });
  stop.abort();
  expect(await done).toEqual({ detail: 'sh: stopped' });
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
});
