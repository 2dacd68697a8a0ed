/** Words for system errors, to follow a colon. */
export const SYSTEM_REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EFBIG', 'the file would be too large'],
  ['EIO', 'the device reported an error'],
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a file exists where a folder is needed'],
  ['EEXIST', 'a file exists where a folder is needed'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'the link points to itself'],
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
