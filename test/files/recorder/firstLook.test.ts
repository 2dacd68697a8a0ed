import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FirstLook } from '../../../src/files/recorder/FirstLook.js';
import type { OpenWorkspaceOptions, Workspace } from '../../../src/files/Workspace.js';
import { noWorkspace } from '../../../src/files/whyNotRecorded.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A folder in which a file is looked at every so many milliseconds. */
function folderOf(files: number, milliseconds: number): () => Promise<Workspace> {
  const empty = noWorkspace('/project', { kind: 'not-recorded', reason: 'failed', isFinal: true });
  const open = async ({ onProgress }: OpenWorkspaceOptions = {}) => {
    for (let file = 1; file <= files; file++) {
      vi.advanceTimersByTime(milliseconds);
      onProgress?.(file);
    }
    return { kind: 'new' } as const;
  };
  return async () => ({ ...empty, open });
}

test('a first look that takes long is told now and then, and that it is over', async () => {
  const told: unknown[] = [];
  const look = new FirstLook(folderOf(18, 100), (files, isDone) => told.push([files, isDone]));
  expect((await look.over).opening).toEqual({ kind: 'new' });
  expect(told).toEqual([
    [10, false],
    [13, false],
    [16, false],
    [18, true],
  ]);
});

test('of a short one not a word is said', async () => {
  const told: unknown[] = [];
  const look = new FirstLook(folderOf(900, 1), (files) => told.push(files));
  await look.over;
  expect(told).toEqual([]);
});
