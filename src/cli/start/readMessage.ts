import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import type { Team } from '../../models/Team.js';
import { readTypedLine } from '../../presentation/readTypedLine.js';
import { utf8Length } from '../../utils/bytes.js';
import type { CliContext } from './CliContext.js';
import type { RunFlags } from './RunFlags.js';
import { type ReadText, readText, requireSize } from './readText.js';
import { UsageError } from './reportError.js';
import { findInput, readInput } from './standardInput.js';

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
