import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { words } from '../../catalogue/words.js';
import { type CliContext, say } from './CliContext.js';
import { type ReadText, readText } from './readText.js';

const PATIENCE_SECONDS = 3;

/** Standard input to its end, however slow it is; says that it is read when that takes a while. */
export async function readInput(context: CliContext): Promise<ReadText> {
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
export async function findInput(context: CliContext): Promise<ReadText | undefined> {
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
