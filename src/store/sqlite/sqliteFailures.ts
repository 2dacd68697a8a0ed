import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HuddleError } from '../../models/errors.js';
import { UnsafePathError } from '../../utils/privatePaths.js';
import { SYSTEM_REASONS } from '../../utils/systemErrors.js';
import { StoreDamagedError, StoreWriteError } from '../storeErrors.js';

const BUSY = 5;

/** Primary result codes that say that the file cannot be used now; see sqlite.org/rescode.html. */
const UNUSABLE: ReadonlyMap<number, string> = new Map([
  [3, 'permission denied'],
  [BUSY, 'another process keeps it busy'],
  [6, 'it is locked'],
  [8, 'it is read-only'],
  [10, 'the device reported an error'],
  [13, 'the disk or the file is full'],
  [14, 'it cannot be opened'],
]);

/** Does something with the file; what SQLite or the system throws comes out as one of our errors. */
export function withFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw explainFailure(file, error);
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && resultCodeOf(error) === BUSY;
}

/** Absent where it is the reading of rows that failed. */
function resultCodeOf(error: Error): number | undefined {
  return 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

function explainFailure(file: string, error: unknown): unknown {
  if (error instanceof HuddleError || !(error instanceof Error)) return error;
  if (error instanceof UnsafePathError) {
    const what = error.path === file ? 'it' : error.path;
    return new StoreWriteError(file, `${what} ${error.reason}`, undefined, error);
  }
  const { code } = error as NodeJS.ErrnoException;
  const isSqlite = code === 'ERR_SQLITE_ERROR';
  const reason = isSqlite ? UNUSABLE.get(resultCodeOf(error) ?? 0) : SYSTEM_REASONS.get(code ?? '');
  if (reason !== undefined)
    return new StoreWriteError(file, reason, isSqlite ? readFreeBytes(file) : undefined, error);
  return isSqlite ? new StoreDamagedError({ file, reason: error.message, cause: error }) : error;
}

function readFreeBytes(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined; // The folder itself is what failed.
  }
}
