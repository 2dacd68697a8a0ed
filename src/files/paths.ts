import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

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

/** The place of a path on the disk, as the system takes it. */
export function onDisk(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), toBytes(path)]);
}

/** The folders in which a path lies, from the top down. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** A path from a folder, if it lies below it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below === '..' || below.startsWith(`..${sep}`) ? undefined : below;
}

/** Ids as Huddle makes them. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u;

/** The name of a file for an id of any origin: the id itself if it is a plain name, else its hash. An imported log has made-up ids. */
export function fileNameOf(id: string): string {
  return PLAIN.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

/** A file that is always there and always empty. */
export const EMPTY_FILE = '/dev/null';

export type ObjectFormat = 'sha1' | 'sha256';

/** Places in the data folder where contents and the last known states of folders are kept. */
export interface FilesLayout {
  readonly root: string;
  /** A folder that stays empty: the working folder of one that is gone. */
  readonly empty: string;
  /** Ids of the contents that a conversation keeps, one a line. */
  readonly kept: string;
  readonly folders: string;
  /** Marks of turns that run. */
  readonly marks: string;
  /** Undos and applies that were begun, one file a conversation. */
  readonly begun: string;
}

export function filesLayout(dataFolder: string): FilesLayout {
  const root = join(dataFolder, 'files');
  const at = (name: string): string => join(root, name);
  return {
    root,
    empty: at('empty'),
    kept: at('kept'),
    folders: at('folders'),
    marks: at('running'),
    begun: at('begun'),
  };
}

/** The folder of contents, one for all folders that are worked in. */
export function objectsFolder({ root }: FilesLayout, format: ObjectFormat): string {
  return join(root, format === 'sha1' ? 'objects' : 'objects-sha256');
}

/** The repository of our own for a folder: the same as long as the folder, and where its top is, stay the same. */
export function repositoryFolder(layout: FilesLayout, place: readonly string[]): string {
  const hash = createHash('sha256').update(place.join('\0'), 'latin1').digest('hex');
  return join(layout.folders, hash.slice(0, 32));
}

/** Writes a file of ours so that another process never sees half of it. */
export function writeWhole(path: string, content: string | Buffer): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}

/** Reads such a file. Undefined: it is not there, or was half written when the machine went down. */
export function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

/** Changes whenever a file does. Undefined: there is none that can be read; a pipe would be waited for without end. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join(':') : undefined;
}
