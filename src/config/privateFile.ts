import { readFile } from 'node:fs/promises';
import type { Logger } from '../utils/logger.js';
import { requirePrivateFile } from '../utils/privatePaths.js';
import { replaceFile } from './replaceFile.js';

const FILE_MODE = 0o600;

/** The text of a private file, or undefined when there is none. */
export async function readPrivateFile(file: string, logger?: Logger): Promise<string | undefined> {
  try {
    requirePrivateFile(file, logger);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writePrivateFile(file: string, text: string): Promise<void> {
  return replaceFile(file, text, FILE_MODE);
}
