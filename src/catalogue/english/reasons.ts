import type { FileReason, UnsafeProperty } from '../../utils/fileReason.js';

/** Reasons why a file or folder cannot be used, to follow a colon. */
export const reasonText = {
  /** By the code of the system. */
  system: {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'read-only file system',
    ENOSPC: 'the disk is full',
    EDQUOT: 'disk quota exceeded',
    EFBIG: 'the file would be too large',
    EIO: 'the device reported an error',
    ENOENT: 'no such file or folder',
    ENOTDIR: 'a file exists where a folder is needed',
    EEXIST: 'a file exists where a folder is needed',
    EISDIR: 'it is a folder',
    ELOOP: 'the link points to itself',
    EMFILE: 'too many files are open',
  } as Readonly<Record<string, string>>,
  /** By the primary result code of SQLite; see sqlite.org/rescode.html. */
  sqlite: {
    3: 'permission denied',
    5: 'another process keeps it busy',
    6: 'it is locked',
    8: 'it is read-only',
    10: 'the device reported an error',
    13: 'the disk or the file is full',
    14: 'it cannot be opened',
  } as Readonly<Record<number, string>>,
  withCode: (reason: string, code: string) => `${reason} (${code})`,
  unsafe: {
    'link-of-other': (path: string) => `${path} is a link of another user`,
    'of-other': (path: string) => `${path} belongs to another user`,
    'open-to-others': (path: string, mode: string) =>
      `${path} can be written to by other users (mode ${mode})`,
    link: (path: string) => `${path} is a link`,
    irregular: (path: string) => `${path} is not a regular file`,
  } satisfies Record<UnsafeProperty, (path: string, mode: string) => string>,
};

/** The shape of `reasonText` in any language. */
interface Reasons {
  readonly system: Readonly<Record<string, string>>;
  readonly sqlite: Readonly<Record<number, string>>;
  readonly withCode: (reason: string, code: string) => string;
  readonly unsafe: Readonly<Record<UnsafeProperty, (path: string, mode: string) => string>>;
}

/** A reason in words; a code that is unknown here is all there is to say. */
export function wordReason(reason: FileReason, words: Reasons): string {
  if ('said' in reason) return reason.said;
  if ('unsafe' in reason) return words.unsafe[reason.unsafe](reason.path, reason.mode ?? '');
  if ('sqlite' in reason) return words.sqlite[reason.sqlite] ?? String(reason.sqlite);
  const known = words.system[reason.errno];
  return known === undefined ? reason.errno : words.withCode(known, reason.errno);
}
