import { lstatSync } from 'node:fs';
import type { Logger } from '../utils/logger.js';
import { requirePrivateFile } from '../utils/privatePaths.js';
import { readRegularFile } from './readRegularFile.js';
import { replaceFile } from './replaceFile.js';

const FILE_MODE = 0o600;
const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a private file, or undefined when there is none. Throws UnsafePathError, and UnreadableFileError for what is no file of text. */
export async function readPrivateFile(file: string, logger?: Logger): Promise<string | undefined> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  requirePrivateFile(file, logger);
  return readRegularFile(file, MAX_BYTES);
}

export function writePrivateFile(file: string, text: string): Promise<void> {
  return replaceFile(file, text, FILE_MODE);
}
