import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse } from 'node:path';
import type { NotRecorded } from '../models/FileChange.js';
import { GitError } from './git/runGit.js';
import { IrregularFileError } from './git/userRepository.js';
import { pathBelow } from './paths.js';
import type { NotRecordedResult, Workspace } from './Workspace.js';

/** Times that a look may be too slow before no other is tried. */
const MOST_SLOW = 3;

/** A recording that took longer than it may. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Runs work that ends when its time is over, or when somebody stops it. */
export async function withinTime<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const clock = AbortSignal.timeout(milliseconds);
  try {
    return await work(signal ? AbortSignal.any([clock, signal]) : clock);
  } catch (error) {
    const isTime = error instanceof GitError && error.reason === 'stopped' && clock.aborted;
    throw isTime && !signal?.aborted ? new TooSlowError(`${milliseconds / 1000} s`, { cause: error }) : error;
  }
}

/** Folders so wide that nobody means all that is in them. */
export function isWideFolder(folder: string, env: NodeJS.ProcessEnv): boolean {
  const home = resolveLinks(env.HOME || homedir());
  return folder === parse(folder).root || folder === home || pathBelow(folder, home) !== undefined;
}

function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // It is not there, so no link leads to it.
  }
}

/** Describes a failure; `slow` counts how often in a row there was no time, this one included. */
export function toNotRecorded(error: unknown, slow = 0): NotRecordedResult {
  if (error instanceof TooSlowError) return notRecorded('too-slow', error.message, slow >= MOST_SLOW);
  if (error instanceof RecordLimitError) return notRecorded(error.reason, String(error.found), true);
  if (error instanceof IrregularFileError) return notRecorded('irregular-file', error.path, false);
  if (error instanceof GitError) return notRecorded(error.reason, error.detail, error.reason === 'stopped');
  const { code, message } = error as NodeJS.ErrnoException;
  return notRecorded(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'failed', message, false);
}

export function notRecorded(
  reason: NotRecorded,
  detail: string | undefined,
  isFinal: boolean,
): NotRecordedResult {
  return { kind: 'not-recorded', reason, ...(detail && { detail }), isFinal };
}

const NOTHING_TO_END = { others: [], end: async () => [] };

/** A workspace in which nothing is recorded, and why. */
export function noWorkspace(folder: string, result: NotRecordedResult): Workspace {
  return {
    folder,
    open: async () => result,
    record: async () => result,
    plan: async ({ copyOf, steps }) => ({
      copyOf,
      files: steps.map(({ path, bytes }) => ({ path, bytes, action: 'not-kept' })),
    }),
    carry: async () => ({ moved: [], left: [] }),
    readIntent: () => undefined,
    endIntent: () => undefined,
    patch: async () => ({ patch: '', isCut: false }),
    copyFor: async () => ({ kind: 'not-ready', detail: result.detail ?? result.reason }),
    mark: async () => NOTHING_TO_END,
    close: async () => undefined,
  };
}

/** A folder that holds more than is recorded. */
export class RecordLimitError extends Error {
  override readonly name = 'RecordLimitError';

  constructor(
    readonly reason: 'too-many-files' | 'too-much-content',
    /** Files or bytes that were found. */
    readonly found: number,
  ) {
    super(`${reason}: ${found}`);
  }
}
