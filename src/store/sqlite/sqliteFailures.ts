import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HuddleError } from '../../models/errors.js';
import { fileReasonOf, UnsafePathError } from '../../utils/fileReason.js';
import { StoreDamagedError, StoreWriteError } from '../storeErrors.js';

const BUSY = 5;

/** Primary result codes that say that the file cannot be used now: PERM, BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const UNUSABLE: ReadonlySet<number> = new Set([3, BUSY, 6, 8, 10, 13, 14]);
/** The same of the system. */
const REFUSED: ReadonlySet<string> = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT EFBIG EIO ENOENT ENOTDIR EEXIST EISDIR ELOOP EMFILE'.split(' '),
);

/** Does something with the file; what SQLite or the system throws comes out as one of our errors. */
export function withFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw explainFailure(file, error);
  }
}

/** The same for work that takes a while. */
export async function withFileAwaited<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
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
    return new StoreWriteError(file, fileReasonOf(error), undefined, error);
  }
  const { code } = error as NodeJS.ErrnoException;
  const isSqlite = code === 'ERR_SQLITE_ERROR';
  const sqlite = resultCodeOf(error) ?? 0;
  if (isSqlite && UNUSABLE.has(sqlite))
    return new StoreWriteError(file, { sqlite }, readFreeBytes(file), error);
  if (isSqlite) return new StoreDamagedError({ file, damage: { said: error.message }, cause: error });
  return code !== undefined && REFUSED.has(code)
    ? new StoreWriteError(file, { errno: code }, undefined, error)
    : error;
}

function readFreeBytes(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined; // The folder itself is what failed.
  }
}
