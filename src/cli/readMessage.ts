import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { english } from '../catalogue/english.js';
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
  if (message !== undefined && file !== undefined) throw new UsageError(twoMessages, 'huddle run');
  if (file !== undefined) return requireText(await readFile(file), fromFile(file));
  if (message !== undefined && message !== STANDARD_INPUT) return requireText(message, fromArgument);
  if (stdin.isTTY && message === undefined) throw new UsageError(noMessage, 'huddle run');
  return requireText(await readAll(stdin, fromStandardInput), fromStandardInput);
}

/** Waits a while for the first byte; a pipe that nobody closes must not hold up who only typed `huddle`. */
export async function awaitInput(
  { stdin }: Surroundings,
  milliseconds: number,
): Promise<'ready' | 'silent' | 'none'> {
  if (stdin.isTTY) return 'none';
  const patience = new AbortController();
  const first = await Promise.race([
    once(stdin, 'readable').then(
      () => 'ready' as const,
      () => 'none' as const,
    ),
    delay(milliseconds, 'silent' as const, { signal: patience.signal }).catch(() => 'silent' as const),
  ]);
  patience.abort();
  if (first === 'silent') stdin.destroy();
  return first;
}

async function readFile(file: string): Promise<string> {
  try {
    return await readAll(createReadStream(file), english.cli.fromFile(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(english.cli.unreadableMessage(file, reason), 'huddle run');
  }
}

async function readAll(stream: Readable, source: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_MEGABYTES * MEGABYTE)
      throw new UsageError(english.cli.messageTooLarge(source, MAX_MEGABYTES), 'huddle run');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without the line end that every file and `echo` adds. */
function requireText(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(english.cli.emptyMessage(source), 'huddle run');
  return text.replace(/\r?\n$/u, '');
}
