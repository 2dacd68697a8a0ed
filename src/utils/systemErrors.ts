/** What the system refuses with, in words that go on after a colon. */
export const SYSTEM_REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'access was refused'],
  ['EPERM', 'access was refused'],
  ['EROFS', 'it is on a read-only disk'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your share of the disk is full'],
  ['EFBIG', 'it would be larger than a file may be'],
  ['EIO', 'the device reported an error'],
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'a file is in the way of its folder'],
  ['EEXIST', 'a file is in the way of its folder'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'it is a link that leads to itself'],
  ['EMFILE', 'too many files are open'],
]);

/** The same with the system's own word, which is all there is where we have none. Other errors say what they say. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return message;
  const reason = SYSTEM_REASONS.get(code);
  return reason === undefined ? code : `${reason} (${code})`;
}
