import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import type { Team } from '../../models/Team.js';
import { readTypedLine } from '../../presentation/readTypedLine.js';
import { utf8Length } from '../../utils/bytes.js';
import { looksLikeUtf16 } from '../../utils/looksLikeUtf16.js';
import { type CliContext, say } from './CliContext.js';
import type { RunFlags } from './RunFlags.js';
import { UsageError } from './reportError.js';

const STANDARD_INPUT = '-';
const SHORTEST_FENCE = 3;

/** The message of a run: the argument or a file, with what is piped in; or standard input alone. Never an empty one. */
export async function readMessage(
  { message, file }: Pick<RunFlags, 'message' | 'file'>,
  context: CliContext,
): Promise<string> {
  const { fromArgument, fromStandardInput, noMessage, twoMessages } = words.cli;
  if (message !== undefined && file !== undefined) throw new UsageError(twoMessages);
  if (file !== undefined) return addInput(await readFile(file, context), context);
  if (message !== undefined && message !== STANDARD_INPUT)
    return addInput(requireText(message, fromArgument), context);
  if (context.stdin.isTTY && message === undefined) throw new UsageError(noMessage);
  return requireText((await readInput(context)).text, fromStandardInput);
}

/** Refuses an argument that was likely not meant as a message. What is piped in or read from a file was not typed. */
export function requireNoSlip({ message = STANDARD_INPUT }: Pick<RunFlags, 'message'>, team?: Team): void {
  const typed = readTypedLine(message, team?.members.map(({ name }) => name) ?? [], undefined, words);
  if (typed.kind === 'message') return;
  const { commandOfTerminal, sendAsIs } = words.cli;
  throw new UsageError(sendAsIs(typed.kind === 'slip' ? typed.reason : commandOfTerminal(typed.name)));
}

/** Standard input as the message, if something is piped in; undefined otherwise. */
export async function findMessage(context: CliContext): Promise<string | undefined> {
  const input = await findInput(context);
  return input && withoutLineEnd(input.text);
}

/** Standard input as the message, if there is no other, and waited for; undefined if it is empty. */
export async function awaitMessage(context: CliContext): Promise<string | undefined> {
  const { text } = context.stdin.isTTY ? { text: '' } : await readInput(context);
  return text.trim() === '' ? undefined : withoutLineEnd(text);
}

async function addInput(message: string, context: CliContext): Promise<string> {
  const input = await findInput(context);
  if (input === undefined) return message;
  const both = `${message}\n\n${formatInput(input)}`;
  requireSize(utf8Length(both), words.cli.withInput);
  return both;
}

/** In a fence longer than any in it, so that nothing in it is read as a marker or a name. */
function formatInput({ text, bytes }: ReadText): string {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longest + 1));
  return `${introduceInput(bytes)}\n\n${fence}\n${withoutLineEnd(text)}\n${fence}`;
}

/** Part of the message that agents get, so it does not follow the language of the screen. */
function introduceInput(bytes: number): string {
  return `Standard input (${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}):`;
}

async function readFile(file: string, { workingFolder }: CliContext): Promise<string> {
  const source = words.cli.fromFile(file);
  const { text } = await readText(createReadStream(resolve(workingFolder, file)), file, source);
  return requireText(text, source);
}

function requireText(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(words.cli.emptyMessage(source));
  return withoutLineEnd(text);
}

/** Every file and `echo` adds one. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/u, '');
}

const PATIENCE_SECONDS = 3;

/** Standard input to its end, however slow it is; says that it is read when that takes a while. */
async function readInput(context: CliContext): Promise<ReadText> {
  const { readingInput, fromStandardInput, standardInput } = words.cli;
  const reminder = setTimeout(() => say(context, readingInput), PATIENCE_SECONDS * 1000);
  try {
    return await readText(context.stdin, standardInput, fromStandardInput);
  } finally {
    clearTimeout(reminder);
  }
}

/**
 * Standard input where something is piped in, undefined where nothing is. A shell's pipe is waited for. A socket is what
 * a program gives the programs it starts, often without ever using it: that one is waited for only a while.
 */
async function findInput(context: CliContext): Promise<ReadText | undefined> {
  const { stdin } = context;
  const kind = kindOfInput(context);
  if (kind === 'nothing') return undefined;
  if (kind === 'socket' && (await staysSilent(stdin))) {
    stdin.destroy();
    say(context, words.cli.nothingOnInput(PATIENCE_SECONDS));
    return undefined;
  }
  const input = await readInput(context);
  return input.text.trim() === '' ? undefined : input;
}

function kindOfInput({ stdin }: CliContext): 'pipe' | 'socket' | 'nothing' {
  if (stdin.isTTY) return 'nothing';
  const stats = fstatSync(stdin.fd);
  if (stats.isSocket()) return 'socket';
  return stats.isFIFO() || stats.isFile() ? 'pipe' : 'nothing';
}

async function staysSilent(stream: Readable): Promise<boolean> {
  const patience = AbortSignal.timeout(PATIENCE_SECONDS * 1000);
  try {
    await once(stream, 'readable', { signal: patience });
    return false;
  } catch (error) {
    if (patience.aborted) return true;
    throw error;
  }
}

const MEGABYTE = 1024 * 1024;
const MAX_MEGABYTES = 16;
/** Fewest bytes for each broken character: one in a hundred is an accident in a text, more are no text. */
const BYTES_PER_BROKEN_CHARACTER = 100;
const REPLACEMENT = '\ufffd';

/** A text from outside, and how long it was there. */
interface ReadText {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Reads all of a stream as text. Refuses what cannot be read, is too large for a message, or is no text, and says where it
 * is from: `notes.md`, `in notes.md`.
 */
async function readText(stream: Readable, name: string, source: string): Promise<ReadText> {
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

function requireSize(bytes: number, source: string): void {
  if (bytes > MAX_MEGABYTES * MEGABYTE)
    throw new UsageError(words.cli.messageTooLarge(source, MAX_MEGABYTES));
}

/** The characters that could not be read; the sign that stands for them may itself be in a text. */
function countBroken(content: Buffer, text: string): number {
  if (isUtf8(content)) return 0;
  return text.split(REPLACEMENT).length - content.toString('latin1').split('\u00ef\u00bf\u00bd').length;
}
