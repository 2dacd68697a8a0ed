import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { looksLikeUtf16 } from '../utils/looksLikeUtf16.js';

/** Error of a file that was not read; `message` completes "the file …". */
export class UnreadableFileError extends Error {
  readonly code: 'UNREADABLE' | 'TOO_LARGE';

  constructor(code: 'UNREADABLE' | 'TOO_LARGE', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableFileError';
    this.code = code;
  }
}

/**
 * The text of a regular file in UTF-8 of at most `maxBytes`. Pipes, sockets, devices and folders are refused,
 * and nothing here waits for one: looked at before it is opened, opened without blocking, and looked at again.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  try {
    requireRegular((await stat(path)).isFile());
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      requireRegular((await file.stat()).isFile());
      return decode(await readAtMost(file, maxBytes));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : asUnreadableFile(error);
  }
}

function requireRegular(isFile: boolean): void {
  if (!isFile) throw new UnreadableFileError('UNREADABLE', 'is not a regular file');
}

/** The size that `stat` gives is not believed: files grow, and those of `/proc` say 0. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  throw new UnreadableFileError('TOO_LARGE', `has more than ${maxBytes} bytes`);
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes) || looksLikeUtf16(bytes))
    throw new UnreadableFileError('UNREADABLE', 'is not UTF-8 text; save it as UTF-8');
  return new TextDecoder().decode(bytes);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'is a link that points to itself',
  ENAMETOOLONG: 'has a name that is too long',
  ERR_INVALID_ARG_VALUE: 'has a name that no file can have',
};

/** Turns a system error about a path into words; passes on anything else. */
export function asUnreadableFile(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  return new UnreadableFileError('UNREADABLE', REASONS[code] ?? `cannot be read (${code})`, { cause: error });
}
