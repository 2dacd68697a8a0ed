import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { english } from '../catalogue/english.js';
import { looksLikeUtf16 } from '../utils/looksLikeUtf16.js';
import { describeSystemError } from '../utils/systemErrors.js';
import { UsageError } from './reportError.js';
import type { Surroundings } from './Surroundings.js';

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 16;
const STANDARD_INPUT = '-';

export interface MessageSource {
  readonly message?: string;
  readonly file?: string;
}

/** The message of a run: the argument, a file, or standard input to its end. Never an empty one. */
export async function readMessage(source: MessageSource, { stdin }: Surroundings): Promise<string> {
  const { message, file } = source;
  const { fromArgument, fromFile, fromStandardInput, noMessage, twoMessages } = english.cli;
  if (message !== undefined && file !== undefined) throw new UsageError(twoMessages);
  if (file !== undefined) return requireText(await readFile(file), fromFile(file));
  if (message !== undefined && message !== STANDARD_INPUT) return requireText(message, fromArgument);
  if (stdin.isTTY && message === undefined) throw new UsageError(noMessage);
  return requireText(await readAll(stdin, fromStandardInput), fromStandardInput);
}

/** What came of looking for a message on standard input; `silent`: it is open, and nothing came. */
export type FoundInput =
  | { readonly kind: 'message'; readonly message: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'silent' };

/** Waits only a while for the first byte: a pipe that nobody closes must not hold up who only typed `huddle`. */
export async function findInput({ stdin }: Surroundings, milliseconds: number): Promise<FoundInput> {
  if (stdin.isTTY) return { kind: 'none' };
  const first = await awaitFirst(stdin, milliseconds);
  if (first === 'silent') stdin.destroy();
  if (first !== 'ready') return { kind: first };
  const text = await readAll(stdin, english.cli.fromStandardInput);
  return text.trim() === '' ? { kind: 'none' } : { kind: 'message', message: withoutLineEnd(text) };
}

async function awaitFirst(stream: Readable, milliseconds: number): Promise<'ready' | 'none' | 'silent'> {
  const patience = new AbortController();
  const { signal } = patience;
  try {
    return await Promise.race([
      once(stream, 'readable', { signal }).then(() => 'ready' as const),
      delay(milliseconds, 'silent' as const, { signal }),
    ]);
  } catch {
    return 'none'; // It cannot be read, a folder for instance: there is no message in it.
  } finally {
    patience.abort();
  }
}

async function readFile(file: string): Promise<string> {
  try {
    return await readAll(createReadStream(file), english.cli.fromFile(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(english.cli.cannotRead(file, describeSystemError(error)));
  }
}

async function readAll(stream: Readable, source: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_MEGABYTES * MEGABYTE)
      throw new UsageError(english.cli.messageTooLarge(source, MAX_MEGABYTES));
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks);
  if (looksLikeUtf16(text)) throw new UsageError(english.cli.notUtf8(source));
  // Without the mark that some editors begin a file with.
  return new TextDecoder().decode(text);
}

function requireText(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(english.cli.emptyMessage(source));
  return withoutLineEnd(text);
}

/** Every file and `echo` adds one. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/u, '');
}
