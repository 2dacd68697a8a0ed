import { accessSync, constants, statfsSync } from 'node:fs';
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

/** Result codes of what fails where the folder cannot be written to: READONLY, CANTOPEN. */
const DENIED: ReadonlySet<number> = new Set([8, 14]);
/** Result codes for which it matters how much is free: IOERR, FULL. */
const FULL: ReadonlySet<number> = new Set([10, 13]);

/** Does something with the file; what SQLite or the system throws comes out as one of our errors. */
export function withFile<Value>(file: string, work: () => Value, use: 'read' | 'write' = 'read'): Value {
  try {
    return work();
  } catch (error) {
    throw explainFailure(file, error, use);
  }
}

/** The same for work that takes a while. */
export async function withFileAwaited<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw explainFailure(file, error, 'read');
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && resultCodeOf(error) === BUSY;
}

/** Absent where it is the reading of rows that failed. */
function resultCodeOf(error: Error): number | undefined {
  return 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** The code of the system for a folder in which nothing can be written; undefined: it can. */
export function whyNotWritable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function explainFailure(file: string, error: unknown, use: 'read' | 'write'): unknown {
  if (error instanceof HuddleError || !(error instanceof Error)) return error;
  if (error instanceof UnsafePathError) {
    return new StoreWriteError(file, fileReasonOf(error), undefined, error, use);
  }
  const { code } = error as NodeJS.ErrnoException;
  const isSqlite = code === 'ERR_SQLITE_ERROR';
  const sqlite = resultCodeOf(error) ?? 0;
  if (isSqlite && UNUSABLE.has(sqlite)) {
    const errno = DENIED.has(sqlite) ? whyNotWritable(dirname(file)) : undefined;
    const free = FULL.has(sqlite) ? readFreeBytes(file) : undefined;
    return new StoreWriteError(file, errno === undefined ? { sqlite } : { errno }, free, error, use);
  }
  if (isSqlite) return new StoreDamagedError({ file, damage: { said: error.message }, cause: error });
  return code !== undefined && REFUSED.has(code)
    ? new StoreWriteError(file, { errno: code }, undefined, error, use)
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
