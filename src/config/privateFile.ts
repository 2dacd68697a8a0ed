import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Logger } from '../utils/logger.js';
import { tightenMode } from '../utils/tightenMode.js';
import { readRegularFile } from './readRegularFile.js';
import { replaceFile } from './replaceFile.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MAX_BYTES = 16 * 1024 * 1024;

/** Makes a folder only its owner can enter, whatever the umask; an existing one is closed to others, with a notice. */
export async function preparePrivateFolder(folder: string, logger?: Logger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  tightenMode(folder, FOLDER_MODE, logger);
}

/** The text of a private file, or undefined when there is none. Throws UnreadableFileError for what is no file of text. */
export async function readPrivateFile(file: string, logger?: Logger): Promise<string | undefined> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  tightenMode(file, FILE_MODE, logger);
  return readRegularFile(file, MAX_BYTES);
}

export function writePrivateFile(file: string, text: string): Promise<void> {
  return replaceFile(file, text, FILE_MODE);
}
