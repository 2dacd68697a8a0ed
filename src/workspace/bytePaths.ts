import { isUtf8 } from 'node:buffer';

/** A path as the system has it: one character a byte. Names need not be UTF-8. */
export type BytePath = string;

export function fromText(text: string): BytePath {
  return Buffer.from(text).toString('latin1');
}

export function toBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** The text of a path; an approximation if it is not UTF-8. */
export function toText(path: BytePath): string {
  return toBytes(path).toString('utf8');
}

/** Whether a path is UTF-8, so that its text says it all. */
export function isText(path: BytePath): boolean {
  return isUtf8(toBytes(path));
}

/** A path as facts name it: its text, and its bytes where that is not enough. */
export function namePath(path: BytePath): { readonly path: string; readonly bytes?: string } {
  if (isText(path)) return { path: toText(path) };
  return { path: toText(path), bytes: toBytes(path).toString('base64') };
}

/** The path that a fact names. */
export function pathOf({
  path,
  bytes,
}: {
  readonly path: string;
  readonly bytes?: string | undefined;
}): BytePath {
  return bytes === undefined ? fromText(path) : Buffer.from(bytes, 'base64').toString('latin1');
}
