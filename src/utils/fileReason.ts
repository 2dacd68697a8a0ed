/** Properties of a folder or file that make it no place for what is private. */
export type UnsafeProperty = 'link-of-other' | 'of-other' | 'open-to-others' | 'link' | 'irregular';

/** Reason why a file or folder cannot be used: a code of the system or of SQLite, a property of a path, or the words of others. */
export type FileReason =
  | { readonly errno: string }
  | { readonly sqlite: number }
  | { readonly unsafe: UnsafeProperty; readonly path: string; readonly mode?: string | undefined }
  | { readonly said: string };

/** A folder or file that what is private must not go into. Nothing of it was changed. */
export class UnsafePathError extends Error {
  readonly path: string;
  readonly property: UnsafeProperty;
  /** Rights in octal digits, if they are what is wrong. */
  readonly mode?: string;

  constructor(path: string, property: UnsafeProperty, mode?: string) {
    super(`${path}: ${property}`);
    this.name = 'UnsafePathError';
    this.path = path;
    this.property = property;
    this.mode = mode;
  }
}

/** The reason in an error of the system, or in any other. */
export function fileReasonOf(error: unknown): FileReason {
  if (error instanceof UnsafePathError) return { unsafe: error.property, path: error.path, mode: error.mode };
  if (!(error instanceof Error)) return { said: String(error) };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined || code === undefined ? { said: message } : { errno: code };
}
