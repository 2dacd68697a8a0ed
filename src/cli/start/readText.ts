import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { looksLikeUtf16 } from '../../utils/looksLikeUtf16.js';
import { UsageError } from './reportError.js';

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 16;
/** Fewest bytes for each broken character: one in a hundred is an accident in a text, more are no text. */
const BYTES_PER_BROKEN_CHARACTER = 100;
const REPLACEMENT = '\ufffd';

/** A text from outside, and how long it was there. */
export interface ReadText {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Reads all of a stream as text. Refuses what cannot be read, is too large for a message, or is no text, and says where it
 * is from: `notes.md`, `in notes.md`.
 */
export async function readText(stream: Readable, name: string, source: string): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      requireSize(bytes, source);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(words.cli.cannotRead(name, describeSystemError(error)));
  }
  const content = Buffer.concat(chunks);
  if (looksLikeUtf16(content)) throw new UsageError(words.cli.notUtf8(source));
  if (content.includes(0)) throw new UsageError(words.cli.binary(source));
  // Without the mark that some editors begin a file with.
  const text = new TextDecoder().decode(content);
  if (countBroken(content, text) * BYTES_PER_BROKEN_CHARACTER > bytes)
    throw new UsageError(words.cli.notUtf8(source));
  return { text, bytes };
}

export function requireSize(bytes: number, source: string): void {
  if (bytes > MAX_MEGABYTES * MEGABYTE)
    throw new UsageError(words.cli.messageTooLarge(source, MAX_MEGABYTES));
}

/** The characters that could not be read; the sign that stands for them may itself be in a text. */
function countBroken(content: Buffer, text: string): number {
  if (isUtf8(content)) return 0;
  return text.split(REPLACEMENT).length - content.toString('latin1').split('\u00ef\u00bf\u00bd').length;
}
