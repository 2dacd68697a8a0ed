import { statSync } from 'node:fs';
import { HuddleError } from '../models/errors.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';
import { TeamFileError } from './TeamFileError.js';

const MAX_BYTES = 1024 * 1024;
const FORBIDDEN = { write: 0o022, read: 0o077 } as const;

/**
 * Reads a file of this user that says what is run, or proves who asks.
 *
 * @param forbidden What no one else may do with it; `read` includes writing.
 * @throws HuddleError FILE_OPEN_TO_OTHERS if others may, or it is not ours; TeamFileError if it cannot be read.
 */
export async function readOwnFile(file: string, forbidden: keyof typeof FORBIDDEN): Promise<string> {
  const stats = statSync(file, { throwIfNoEntry: false });
  const isOfOther = stats !== undefined && process.getuid !== undefined && stats.uid !== process.getuid();
  if (isOfOther || (stats !== undefined && (stats.mode & FORBIDDEN[forbidden]) !== 0)) {
    const mode = (stats.mode & 0o777).toString(8);
    throw new HuddleError('FILE_OPEN_TO_OTHERS', { file, mode, isOfOther, forbidden });
  }
  try {
    return await readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { facts } = error;
    throw new TeamFileError([{ code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...facts }], file);
  }
}
