import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HuddleError } from '../../models/errors.js';
import { StoreDamagedError, StoreWriteError } from '../storeErrors.js';

/** Primary result codes that say that the file cannot be used now; see sqlite.org/rescode.html. */
const UNUSABLE: ReadonlyMap<number, string> = new Map([
  [3, 'access was refused'],
  [5, 'another process keeps it busy'],
  [6, 'it is locked'],
  [8, 'it is read-only'],
  [10, 'the device reported an error'],
  [13, 'the disk or the file is full'],
  [14, 'it cannot be opened'],
]);
const FILE_ERRORS = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'EMFILE',
]);

/** Does something with the file; what SQLite or the system throws comes out as one of our errors. */
export function withFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw explainFailure(file, error);
  }
}

function explainFailure(file: string, error: unknown): unknown {
  if (error instanceof HuddleError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && FILE_ERRORS.has(code))
    return new StoreWriteError(file, error.message, readFreeBytes(file), error);
  if (code !== 'ERR_SQLITE_ERROR') return error;
  // Without a result code it is the reading of rows that failed.
  const reason = 'errcode' in error ? UNUSABLE.get(Number(error.errcode) & 0xff) : undefined;
  if (reason !== undefined) return new StoreWriteError(file, reason, readFreeBytes(file), error);
  return new StoreDamagedError({ file, reason: error.message, cause: error });
}

function readFreeBytes(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined; // The folder itself is what failed.
  }
}
