import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { FileFault } from '../models/TeamProblem.js';
import { looksLikeUtf16 } from '../utils/looksLikeUtf16.js';

/** Error of a file that was not read. */
export class UnreadableFileError extends Error {
  readonly code: 'UNREADABLE' | 'TOO_LARGE';
  readonly facts: FileFault;

  constructor(facts: FileFault, options?: ErrorOptions) {
    super(facts.fault, options);
    this.name = 'UnreadableFileError';
    this.code = facts.fault === 'too-large' ? 'TOO_LARGE' : 'UNREADABLE';
    this.facts = facts;
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

/** Bytes that are read at once: files of teams are smaller. */
const PIECE_BYTES = 16_384;

function requireRegular(isFile: boolean): void {
  if (!isFile) throw new UnreadableFileError({ fault: 'not-regular' });
}

/** The size that `stat` gives is not believed: files grow, and those of `/proc` say 0. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let left = maxBytes; left >= 0; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  throw new UnreadableFileError({ fault: 'too-large', maxBytes });
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes) || looksLikeUtf16(bytes)) throw new UnreadableFileError({ fault: 'not-utf8' });
  return new TextDecoder().decode(bytes);
}

const FAULTS: Readonly<Record<string, Exclude<FileFault['fault'], 'too-large' | 'other'>>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  ELOOP: 'link-to-itself',
  ENAMETOOLONG: 'name-too-long',
  ERR_INVALID_ARG_VALUE: 'name-impossible',
};

/** Turns a system error about a path into one of ours; passes on anything else. */
export function asUnreadableFile(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  const fault = FAULTS[code];
  const facts: FileFault = fault === undefined ? { fault: 'other', systemCode: code } : { fault };
  return new UnreadableFileError(facts, { cause: error });
}
