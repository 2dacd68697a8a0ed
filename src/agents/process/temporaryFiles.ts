import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argument, Invocation } from '../dialect/Dialect.js';

export interface TemporaryFiles {
  /** Puts the path of a file where a dialect named it. */
  resolve(argument: Argument): string;
  remove(): Promise<void>;
}

/** Writes the files of a turn, 0600 in a folder 0700 that only this user can enter. Nothing is made when there are none. */
export async function writeTemporaryFiles(files: Invocation['files']): Promise<TemporaryFiles> {
  const folder = files.length === 0 ? undefined : await mkdtemp(join(tmpdir(), 'huddle-'));
  const remove = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const paths = new Map(
    files.map(({ file }, index) => [file, join(folder ?? '', `${index}-${safeName(file)}`)]),
  );
  try {
    for (const { file, content } of files) {
      await writeFile(paths.get(file) ?? '', content, { mode: 0o600, flag: 'wx' });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { resolve: (argument) => resolveArgument(argument, paths), remove };
}

function resolveArgument(argument: Argument, paths: ReadonlyMap<string, string>): string {
  if (typeof argument === 'string') return argument;
  const path = paths.get(argument.file);
  if (path === undefined) throw new TypeError(`The invocation names no file "${argument.file}"`);
  return path;
}

function safeName(file: string): string {
  return file.replace(/[^\w.-]/gu, '_').slice(0, 64);
}
