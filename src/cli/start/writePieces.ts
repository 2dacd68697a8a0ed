import { closeSync, openSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { replaceFile } from '../../config/replaceFile.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';

const FILE_MODE = 0o600;
const MODE_BITS = 0o777;

/**
 * Writes into a private file what people said in private. An existing file keeps its mode, and its text until the new one
 * is whole; a device or a pipe takes what comes.
 */
export async function writePieces(file: string, pieces: AnyIterable<string>): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) await replaceFile(file, pieces, FILE_MODE);
  else if (found.isFile()) await replaceFile(realpathSync(file), pieces, found.mode & MODE_BITS);
  else await streamPieces(file, pieces);
}

async function streamPieces(file: string, pieces: AnyIterable<string>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    for await (const piece of pieces) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
