import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, UnreadableFileError } from '../../../config/readRegularFile.js';
import { LOCK_FILES, PROJECT_FILES, type ProjectFiles } from './findTestCommand.js';

const MAX_BYTES = 1024 * 1024;

/** Reads the files of a folder that tell how its tests are run. Runs nothing. */
export async function readProjectFiles(folder: string): Promise<ProjectFiles> {
  const files = new Map<string, string>();
  for (const name of PROJECT_FILES) {
    const text = await readText(join(folder, name));
    if (text !== undefined) files.set(name, text);
  }
  for (const name of LOCK_FILES) if (existsSync(join(folder, name))) files.set(name, '');
  return files;
}

/** A file that is not there or cannot be read says nothing about tests. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}
